export default function Still() {
  return <p>made at build time</p>;
}
