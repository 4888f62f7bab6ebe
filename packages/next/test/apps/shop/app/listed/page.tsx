export default function Listed() {
  return <p>the same for all visitors</p>;
}
