export default function Private() {
  return <p>private goods</p>;
}
