import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const whole = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
/** Chromium without windows shows the same pages with a third of the processor time. */
const shell = '/usr/bin/chromium-headless-shell';

/** Without Chromium these tests are skipped on a developer's machine, and fail where all tests must run. */
export const isWithoutChromium: boolean = !existsSync(whole) && process.env['CI'] !== 'true';

/** Features that load pages of the address bar for each profile, which takes longer than the page under test. */
const addressBarFeatures = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** Features that Playwright disables. Chromium uses only the last `--disable-features`, so this list repeats them. */
const playwrightFeatures = [
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

/** `launchBrowser` of the suite of bindings. Without Chromium it skips the cases of the client. */
export const clientBrowser: (() => Promise<Browser>) | undefined = isWithoutChromium
  ? undefined
  : () => launchChromium();

/**
 * Starts Chromium without background activity.
 *
 * @param isWhole Whether to start the browser with windows and the back/forward cache. Default: `false`.
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
      `--disable-features=${[...playwrightFeatures, ...addressBarFeatures].join(',')}`,
    ],
  });
}
