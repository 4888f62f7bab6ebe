export default function Layout({ children }: { children: never }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
