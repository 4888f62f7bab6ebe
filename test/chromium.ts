import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const whole = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
/** Chromium without windows: the same pages for a third of the work. */
const shell = '/usr/bin/chromium-headless-shell';

/** Without Chromium these tests are skipped on a developer's machine, and fail where all tests must run. */
export const isWithoutChromium: boolean = !existsSync(whole) && process.env['CI'] !== 'true';

/** Pages of the address bar. Each profile would load them, in processes of their own, which costs more than a page of ours. */
const ofTheAddressBar = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** What Playwright leaves out, as far as it concerns pages: of several lists Chromium heeds the last one, which is ours. */
const ofPlaywright = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/**
 * Chromium, with nothing of its own going on.
 *
 * @param isWhole With all that a person's browser has: pages come back from the history as they were left. Default: `false`.
 */
export function launchChromium(isWhole = false): Promise<Browser> {
  return chromium.launch({
    ignoreDefaultArgs: isWhole ? ['--disable-back-forward-cache'] : [],
    executablePath: !isWhole && existsSync(shell) ? shell : whole,
    chromiumSandbox: false,
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      `--disable-features=${[...ofPlaywright, ...ofTheAddressBar].join(',')}`,
    ],
  });
}
