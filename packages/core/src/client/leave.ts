/** Goes to another page, or to this one anew where the absolute address differs from its own in the fragment only. */
export function leaveFor(address: string): void {
  location.href = address;
  // Within a page the address has changed by now, and nothing else happens.
  if (address.includes('#') && location.href === address) location.reload();
}
