/** Look of the built-in pages and mails, as the functions of the application receive it. */
export interface Theme {
  /**
   * Name of the application, in the titles of pages and in mails. Also the default of `relayingParty.name` and of the
   * sender name of mails. Default: none; mails and passkeys show the host.
   */
  name?: string | undefined;
  /**
   * URL of an image above the card: the one for light pages if there are two. Mails show it if it is a PNG or JPEG
   * file. Default: no image.
   */
  logo?: string | undefined;
  /** URL of the icon in the browser's tab. Default: no tag; browsers ask for `/favicon.ico`. */
  favicon?: string | undefined;
  /** Dark or light colors. Default: `auto`, which follows the visitor's system. */
  colorScheme?: 'auto' | 'dark' | 'light' | undefined;
  /** Color of buttons and links, in hexadecimal or as `rgb()`. Default: the color of the built-in style. */
  brandColor?: string | undefined;
  /**
   * Color of the text on a button in `brandColor`, in hexadecimal or as `rgb()`. Default: white if its contrast is high
   * enough, otherwise black.
   */
  buttonText?: string | undefined;
  /** Radius of the corners of buttons and fields, in pixels: 0 to 24. Default: 10. */
  radius?: number | undefined;
  /** A font family of the visitor's system, or a font file of this site. Default: the font of the system. */
  font?: string | ThemeFont | undefined;
  /**
   * Values of CSS variables of the pages, for example `{ '--surface': 'light-dark(#fff, #14161a)' }`. A value has 1 to
   * 96 letters, digits, spaces and characters of `#%(),./+-_`, and no `url()`. Default: see `docs/pages.md`.
   */
  variables?: Partial<Record<ThemeVariable, string>> | undefined;
  /** Marks the way to sign in that was used last in this browser. Default: `false`. */
  lastUsed?: boolean | undefined;
  /** `monogram`: the buttons of providers show a letter instead of the vendor's mark. Default: the marks. */
  marks?: 'monogram' | undefined;
}

/** The option `theme`. */
export interface ThemeOptions extends Omit<Theme, 'logo'> {
  /**
   * URL of an image above the card, or one for each color scheme. Mails show it if it is a PNG or JPEG file. Default:
   * no image.
   */
  logo?: string | ThemeLogo | undefined;
}

/** URLs of the logo for light and for dark pages. */
export interface ThemeLogo {
  /** URL of the logo on light pages, and in mails. */
  light: string;
  /** URL of the logo on dark pages. */
  dark: string;
}

/** A font file of this site. */
export interface ThemeFont {
  /** Name of the font: letters, digits, spaces and hyphens. */
  family: string;
  /** Path of the file, for example `/fonts/inter.woff2`. */
  src: string;
}

/** CSS variables of the pages that {@link Theme.variables} may set. */
export type ThemeVariable =
  | '--background'
  | '--surface'
  | '--text'
  | '--muted'
  | '--line'
  | '--control-line'
  | '--hover'
  | '--brand-color'
  | '--brand-line-color'
  | '--button-text-color'
  | '--link-color'
  | '--problem'
  | '--problem-surface'
  | '--problem-line'
  | '--shadow'
  | '--radius'
  | '--font';

/** Pages of the application that the built-in pages link to: paths from the root of the site, or https URLs. */
export interface PageLinks {
  /** The page where visitors create an account. The sign-in page links to it. Default: no link. */
  signUp?: string | undefined;
  /** The page where visitors replace a forgotten password. The sign-in page links to it. Default: no link. */
  forgotPassword?: string | undefined;
  /** The terms of service. All pages link to it. Default: no link. */
  terms?: string | undefined;
  /** The privacy policy. All pages link to it. Default: no link. */
  privacy?: string | undefined;
  /** The page where visitors get help. All pages link to it. Default: no link. */
  help?: string | undefined;
}

/** Internal: the theme as pages get it. */
export interface PageTheme extends ThemeOptions {
  /** The pages that all pages link to. */
  readonly links?: Pick<PageLinks, 'terms' | 'privacy' | 'help'> | undefined;
}
