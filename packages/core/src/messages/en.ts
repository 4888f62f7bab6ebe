/**
 * The catalogue of the texts of pages and mails, in English. Its keys are the type that all languages have.
 *
 * Texts are plain text. `{name}` is a placeholder: translations have the same placeholders, in any order. A text with a
 * count is an object with a text for each plural category of the language (`Intl.PluralRules`), and with `other`.
 * Durations, dates and relative times ("in 3 minutes") come from `Intl`.
 */
const texts = {
  /** Texts of more than one page. */
  common: {
    errorTitle: 'Error: {title}',
    back: 'Back to the site',
    logo: 'Logo',
    help: 'Help',
    terms: 'Terms',
    privacy: 'Privacy',
    /** Who requested a mail: "Chrome on Windows". */
    agent: '{browser} on {system}',
    needsScript: 'This needs JavaScript, which is off in your browser.',
  },
  /** The script of the pages. */
  script: {
    showPassword: 'Show password',
    hidePassword: 'Hide password',
    wait: 'Please wait.',
  },
  signIn: {
    title: 'Sign in',
    /** Above a list of providers that shows their names only. */
    with: 'Sign in with',
    withProvider: 'Sign in with {provider}',
    /** Between the form and the buttons of the providers. */
    or: 'or',
    email: 'Email',
    /** The label of a field for an address or for the identifier of the application: "Email or Username". */
    emailOr: 'Email or {label}',
    example: 'ada@example.com',
    continue: 'Continue',
    submit: 'Sign in',
    passkey: 'Sign in with a passkey',
    mailWith: 'Email me with {name}',
    createAccount: 'Create an account',
    forgotPassword: 'Forgot your password?',
    lastUsed: 'Last used',
    noProviders: 'There is no way to sign in yet. If this is your site, add a provider to its configuration.',
  },
  /** The page that asks for the password, after the address or name. */
  password: {
    title: 'Enter your password',
    change: 'Change',
    /** The name of the link "Change" for screen readers. It contains the text of the link. */
    changeLabel: 'Change the email or name',
    mailLink: 'Email me a link',
  },
  /** The page that creates an account with a passkey. */
  register: {
    title: 'Create an account',
    about: 'Your device creates a passkey. You sign in with your fingerprint, face or screen lock.',
    submit: 'Create a passkey',
    signIn: 'Sign in instead',
  },
  passkey: {
    useKey: 'Use a security key',
    add: 'Add a passkey',
    unsupported: 'This browser cannot use passkeys here.',
    signInCanceled: 'No passkey was used. Try again, or choose another way to sign in.',
    createCanceled: 'No passkey was created. Try again.',
    notUsable: 'This passkey cannot be used here.',
    exists: 'This device has a passkey for your account already.',
    signInWrongSite: 'Passkeys cannot be used at this address.',
    createWrongSite: 'Passkeys cannot be created at this address.',
    signedIn: 'You are signed in already.',
    fieldsFirst: 'To create a passkey, fill in the form first.',
    signInFailed: 'That did not work. Try again, or choose another way to sign in.',
    createFailed: 'That did not work. Try again.',
  },
  /** `GET signin` with a session. */
  signedIn: {
    title: 'You are signed in',
    as: 'You are signed in as {user}.',
    continueAs: 'Continue as {name}',
    continue: 'Continue',
    addWay: 'Add a way to sign in',
    differentAccount: 'Use a different account',
    account: 'Account',
  },
  /** Errors on the sign-in page. The key is the value of `?error=`, or of `?error=` and `?reason=`. */
  errors: {
    CredentialsSignin: 'These details are not correct.',
    EmailSignin: 'The email could not be sent. Try again in a minute.',
    EmailSigninAddress: 'Enter an email address, for example ada@example.com.',
    OAuthCallbackError: '{provider} did not complete the sign-in.',
    OAuthCallbackErrorCancelled: 'You cancelled the sign-in at {provider}.',
    OAuthSignin: '{provider} cannot be reached right now.',
    OAuthCreateAccountUnverified: 'Verify your address at {provider}, then sign in again.',
    CreateAccount: 'Your account could not be created. Try again.',
    OAuthAccountNotLinked: 'You have an account. Sign in the way you did before.',
    OAuthAccountNotLinkedOffer: 'You have an account. Sign in as before, then add {provider}.',
    OAuthAccountNotLinkedOtherUser: 'This {provider} account belongs to another account here.',
    AccountNotLinked: 'This passkey belongs to another account here.',
    AccountReassigned: 'Another person has used this {provider} name here.',
    TooManyWays: 'This account cannot have more ways to sign in. Remove one first.',
    Callback: '{provider} sent an incomplete profile.',
    InvalidCheck: 'The sign-in expired or was started in another browser.',
    MissingCSRF: 'This page was open for too long. Try again.',
    InvalidProvider: 'This way to sign in is not available.',
    /** `{when}` is a relative time, such as "in 3 minutes". */
    RateLimited: 'Too many attempts. Try again {when}.',
    RateLimitedUnknown: 'Too many attempts. Try again in a few minutes.',
    WebAuthnVerificationError: 'Your passkey could not be verified.',
    SessionRequired: 'Sign in to see this page.',
    RecentSignInRequired: 'Sign in again to change your account.',
    other: 'You could not be signed in. Try again.',
    /** In the place of `{provider}` if the provider is not known. */
    unknownProvider: 'The service',
    /** A code of the application that has no text. */
    code: 'Code: {code}',
    tryAgain: 'Try again with {provider}',
    sendAgain: 'Send again',
    signOut: 'Sign out',
  },
  errorPage: {
    configuration: 'Sign-in does not work right now',
    configurationHint: 'If this is your site, see the server log for the cause.',
    accessDenied: 'You do not have access',
    accessDeniedHint: 'Your account is not allowed to sign in here.',
    verification: 'This link has expired or was used',
    verificationHint: 'Request a new link to sign in.',
    accountChanged: 'Your sign-in could not be completed',
    accountChangedHint:
      'Your email address is confirmed for another account, or for the address that the account had before. Sign in again, and choose the account with which you started.',
    rateLimited: 'Too many attempts',
    rateLimitedHint: 'Try again in a few minutes.',
    other: 'Something went wrong',
    otherHint: 'Go back to the site and try again.',
    sendLink: 'Send a new link',
    differentAccount: 'Use a different account',
    signIn: 'Sign in',
    reference: 'If you ask the owner of this site for help, mention {reference}.',
  },
  /** The page after a request for a mail. */
  verifyRequest: {
    title: 'Check your inbox',
    titleOver: 'Request a new email',
    general:
      'A sign-in link was sent to your email address. If it does not arrive in a minute, check your spam folder.',
    sentLink: 'A sign-in link was sent to {address}. If it does not arrive in a minute, check your spam folder.',
    sentCode: 'A link and a code were sent to {address}. If they do not arrive in a minute, check your spam folder.',
    purpose: 'To continue with {provider}, confirm your email address.',
    wrongCode: 'This is not the code in the newest email to {address}. Check it, and try again.',
    over: 'The code is no longer valid. It was mistyped too often, or the email has been used. Request a new email to {address}.',
    otherBrowser:
      'This browser does not wait for a code any more. The email has been used or has expired, or another browser requested it.',
    code: 'Code from the email',
    signIn: 'Sign in',
    confirm: 'Confirm',
    sendAgain: 'Send again',
    /** `{when}` is a relative time, such as "in 40 seconds". */
    wait: 'The email can be sent again {when}.',
    otherAddress: 'Use another address',
  },
  /** The page that a link in a mail opens. */
  confirmEmail: {
    title: 'Almost there',
    signIn: 'One more click, and you are signed in.',
    signInAs: 'One more click, and you are signed in as {address}.',
    signInWithout: 'One more click, and you are signed in as {address} in this browser, without {provider}.',
    confirms: 'One more click confirms {address}, and you continue with {provider}.',
    sessionEnds: 'You are signed in as {user}. That session ends.',
    anotherUser: 'another user',
    /** `{when}` is a relative time, such as "5 minutes ago". */
    requested: 'Requested {when}.',
    requestedBy: 'Requested {when} ({agent}).',
    notYou: 'If you did not ask for this, close the page.',
    codeElsewhere: 'To sign in on another device, type the code from the email there.',
    codeToContinue:
      'To continue with {provider}, type the code from the email in the browser where you started. Do this only if you started it.',
    submit: 'Sign in',
    confirm: 'Confirm',
  },
  signOut: {
    title: 'Sign out?',
    /** With the name of the application. */
    titleOf: 'Sign out of {name}?',
    as: 'You are signed in as {user}.',
    submit: 'Sign out',
    everywhere: 'Sign out on all devices',
    stay: 'Stay signed in',
  },
  sessions: {
    title: 'Your sessions',
    onlyThis: 'You are signed in on this device only.',
    others: {
      one: 'You are also signed in on {count} other device. If you do not recognize it, sign it out.',
      other: 'You are also signed in on {count} other devices. If you do not recognize one, sign it out.',
    },
    unknownDevice: 'Unknown device',
    thisDevice: 'This device',
    /** `{when}` is a relative time, such as "3 days ago", or {@link now}. */
    signedIn: 'Signed in {when}',
    signedInWith: 'Signed in {when} with {method}',
    signedInFrom: 'Signed in {when}, from {network}',
    signedInWithFrom: 'Signed in {when} with {method}, from {network}',
    lastUsed: 'Last used {when}',
    now: 'just now',
    /** Names of sign-in methods. */
    email: 'email',
    passkey: 'a passkey',
    end: 'Sign out',
    /** The name of the button {@link end} for screen readers. It begins with the text of the button. */
    endLabel: 'Sign out: {device}',
    endOthers: 'Sign out on all other devices',
    endAll: 'Sign out on all devices',
  },
  /** The page on which users manage their account. */
  account: {
    title: 'Your account',
    /** Before each change, a recent sign-in is needed. */
    notRecent: 'To change your account, sign in again first.',
    signInAgain: 'Sign in again',
    profile: 'Profile',
    name: 'Name',
    saveName: 'Save the name',
    address: 'Email address',
    noAddress: 'Your account has no email address.',
    newAddress: 'New email address',
    changeAddress: 'Change the address',
    ways: 'Ways to sign in',
    noWays: 'You have no other way to sign in.',
    mailed: 'Links by email',
    password: 'Password',
    /** A provider that is no longer configured. */
    gone: 'No longer available',
    added: 'Added on {date}',
    onlyWay: 'This is your only way to sign in. Add another one before you remove it.',
    remove: 'Remove',
    /** The name of the button {@link remove} for screen readers. It begins with the text of the button. */
    removeWay: 'Remove: {name}',
    addProvider: 'Add {provider}',
    passkeys: 'Passkeys',
    noPasskeys: 'You have no passkey yet. With one, you sign in with your fingerprint, face or screen lock.',
    unnamed: 'Passkey',
    lastUsed: 'Last used on {date}',
    passkeyName: 'Name of the passkey',
    rename: 'Rename',
    renamePasskey: 'Rename: {name}',
    sessionsAbout: 'See where you are signed in, and sign out on other devices.',
    showSessions: 'Show your sessions',
    data: 'Your data',
    exportAbout: 'Download what is stored about you, as a JSON file.',
    export: 'Download your data',
    deleteAbout: 'Your account is deleted, with all ways to sign in.',
    delete: 'Delete your account',
    back: 'Back to your account',
    /** After a change, by its code. */
    doneName: 'Your name was changed.',
    doneEmail: 'Your email address was changed.',
    doneUnlink: 'The way to sign in was removed.',
    donePasskey: 'The passkey has a new name.',
    /** After a change that was refused, by the code of the error. */
    BadRequest: 'The text that you typed was not accepted, so nothing was changed. Try again.',
    EmailSignin: 'The email could not be sent, so nothing was changed. Try again.',
    Verification:
      'The link or the code was used before, has expired, or belongs to another browser. Nothing was changed.',
    LastWayIn: 'This is your only way to sign in, so it was not removed. Add another one first.',
    RateLimited: 'You have made too many changes. Wait an hour, then try again.',
    MissingCSRF: 'This page was open for too long. Nothing was changed. Try again.',
    otherError: 'Nothing was changed. Try again.',
  },
  /** The pages that add a way to sign in. */
  addWay: {
    title: 'Add a way to sign in',
    none: 'There is no further way to sign in.',
    /** The question whether to add an account that the user has chosen at a provider. */
    offer: 'Add {provider} ({label}) to {user}?',
    /** The same, for a user without address and name. */
    offerToUnnamed: 'Add {provider} ({label}) to your account?',
    effect: 'You can then also sign in with {provider}. To confirm, you sign in at {provider} once more.',
    chooseAgain: 'Choose {label} at {provider}.',
    notNow: 'Not now',
  },
  /** The page that confirms a new address. */
  newAddress: {
    title: 'Confirm your new address',
    submit: 'Confirm the address',
    opened: 'One more click, and your account has the address {address}.',
    sessions: 'You stay signed in here. Your other sessions end.',
    otherBrowser:
      'This browser does not wait for a new address of the user who is signed in here. Open the link in the browser where you asked for the change, signed in as the same user. Or type the code from the email there.',
  },
  deleteAccount: {
    effect: 'Your account and its ways to sign in are deleted. This cannot be undone.',
    label: 'To confirm, type {text}',
    submit: 'Delete the account',
  },
  /** The page that a link in a notice opens. */
  undo: {
    title: 'Undo the change',
    email:
      'Your account gets the address {from} back in the place of {to}. Ways to sign in that were added since are removed. All sessions end.',
    way: 'The way to sign in that was added is removed from your account. All sessions end.',
    note: 'If you made the change yourself, close the page.',
    done: 'The change is undone',
    notDone: 'The change is not undone',
    restored:
      'Your account has the address {from} again. Ways to sign in that were added since are removed. All sessions have ended.',
    taken:
      'Another account has the address {from} now, so yours did not get it back. All sessions of your account have ended. Delete the other account, or give it another address, and open the link again.',
    removed: 'The way to sign in is removed. All sessions of your account have ended.',
    last: 'It is the only way to sign in to your account, so it was not removed. All sessions of your account have ended.',
    gone: 'The account does not exist any more.',
    stale: 'The address was restored before. Nothing has changed.',
    invalid: 'The link was used before, has expired, or is not complete.',
  },
  /** Mails with a link, and with a code if there is one. `{site}` is a host or the name of the application. */
  mail: {
    subject: 'Sign in to {site}',
    openLink: 'Open this address to sign in:',
    pressButton: 'Press the button to sign in.',
    button: 'Sign in',
    preview: 'Your link to sign in.',
    linkOnce: 'The link works once.',
    /** `{duration}` is a duration, such as "24 hours". */
    linkOnceFor: 'The link works once, for {duration}.',
    keepLink: 'Do not share this link. The first person who opens it is signed in as you.',
    ignoreLink: 'If you did not request this email, ignore it. Without the link, no one can sign in.',
    noButton: 'If the button does nothing, open this address:',
    requested: 'This email was requested on {date}.',
    requestedBy: 'This email was requested on {date} ({agent}).',
    yourCode: 'Your code: {code}',
    typeCode: 'Type this code on the page that asks for it:',
    typeCodeAt: 'Type it on the page of {site} that asks for it. Or open this address:',
    orButton: 'Or press the button.',
    codeOnce: 'Code and link work once.',
    codeOnceFor: 'Code and link work once, for {duration}.',
    keepCode: 'Do not share the code or the link, and type the code only on this site.',
    ignoreCode: 'If you did not request this email, ignore it. Without the code or the link, no one can sign in.',
    confirmSubject: 'Confirm your address for {site}',
    confirmPurpose:
      'A sign-in to {site} with {provider} named this address. The code confirms that the address is yours. After that, this {provider} account signs in as you.',
    confirm: 'Confirm',
  },
  /** Parts of the mails about accounts. */
  notice: {
    passkey: 'A passkey',
    account: 'Your account at {provider}',
    accountOf: 'Your account at {provider} ({label})',
    when: 'This happened on {date}.',
    whenBy: 'This happened on {date} ({agent}).',
  },
  /**
   * `{site}` is a host or the name of the application, `{duration}` how long the link is valid, and `{when}` a sentence
   * of {@link texts.notice}.
   */
  confirmAddressMail: {
    subject: 'Confirm your new address for {site}',
    body: 'You asked to use this address for your account at {site}.',
    hint: 'Type the code on the page that asks for it, or press the button in the browser where you asked. Code and link work once, for {duration}.',
    action: 'Confirm the address',
    note: 'Type the code only on this site. {when} If you did not ask for it, ignore this email: your address is not used.',
  },
  addressTakenMail: {
    subject: 'You already have an account at {site}',
    body: 'Someone who is signed in to another account at {site} asked to use this address for it. You already have an account with this address, so nothing has changed.',
    note: '{when} If it was you, sign in with this address, or use another one. If it was not you, ignore this email.',
  },
  addressChangedMail: {
    subject: 'Your address at {site} was changed',
    body: 'The email address of your account at {site} was changed from {from} to {to}. {when}',
    hint: 'If it was not you, undo the change. You get your address back, ways to sign in that were added since are removed, and all sessions end. The link works once, for {duration}.',
    action: 'Undo the change',
    note: 'If you changed the address yourself, ignore this email.',
  },
  wayAddedMail: {
    subject: 'A way to sign in was added at {site}',
    body: '{way} can now sign in to your account at {site}. {when}',
    hint: 'If you did not add it, remove it. All sessions end, too. The link works once, for {duration}.',
    action: 'Remove it',
    note: 'If you added it yourself, ignore this email.',
  },
  wayRemovedMail: {
    subject: 'A way to sign in was removed at {site}',
    body: '{way} can no longer sign in to your account at {site}. {when}',
    note: 'If you did not remove it, sign in, end all sessions, and remove the ways to sign in that you do not know.',
  },
  sessionsEndedMail: {
    subject: 'All sessions at {site} were ended',
    body: 'All sessions of your account at {site} were ended. {when}',
    note: 'If it was not you, sign in, and remove the ways to sign in that you do not know.',
  },
  accountDeletedMail: {
    subject: 'Your account at {site} was deleted',
    body: 'Your account at {site} was deleted, with its ways to sign in. {when}',
    note: 'If it was not you, contact the operator of {site}.',
  },
};

/** A text with a count: a text for each plural category of the language. */
export interface CountText extends Partial<Readonly<Record<Intl.LDMLPluralRule, string>>> {
  /** For all counts without a text of their own. `{count}` stands for the number. */
  readonly other: string;
}

/** A text, a text with a count, or a group of texts, with the keys of the English catalogue. */
type TextsLike<T> = T extends string
  ? string
  : T extends { one: string; other: string }
    ? CountText
    : { readonly [K in keyof T]: TextsLike<T[K]> };

/** All texts of pages and mails. The keys are the same as in {@link en}. */
export type Texts = TextsLike<typeof texts>;

/**
 * A language of pages and mails.
 *
 * ```ts
 * import de from '@latchkey/core/messages/de';
 * const { code, dir, texts } = de; // 'de', 'ltr', { signIn: { title: 'Anmelden', … }, … }
 * ```
 */
export interface Language {
  /** BCP 47 tag, such as `de` or `pt-BR`. */
  readonly code: string;
  /** Direction of the script. */
  readonly dir: 'ltr' | 'rtl';
  /** The texts of pages and mails, in this language. */
  readonly texts: Texts;
  /** Texts of the application for the codes of its `CredentialsSignin` errors, by code. Default: none. */
  readonly codes?: Readonly<Record<string, string>>;
}

/** English. Reviewed by a native speaker: no. */
const en: Language = { code: 'en', dir: 'ltr', texts };

export default en;
