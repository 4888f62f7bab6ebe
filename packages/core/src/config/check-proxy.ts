import { InvalidEndpoints } from '../errors.ts';

/**
 * What is wrong with the address of a redirect proxy.
 *
 * @param whose What the message begins with.
 */
export function checkProxy(whose: string, url: string | undefined): InvalidEndpoints[] {
  if (!url || URL.canParse(url)) return [];
  const remedy = 'Give the full address, up to the base path, of the deployment that answers go to';
  return [new InvalidEndpoints(`${whose}\`redirectProxyUrl\` is no absolute URL. ${remedy}`)];
}
