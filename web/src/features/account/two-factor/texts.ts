/** Constants only, which are inlined: with a function, this module would become a chunk that the settings and each dialog load. */
// two-factor-row
export const disableTitle = 'Disable two-factor authentication?'
export const disableHint = 'From then on your password alone signs you in. Your backup codes stop working.'
export const disable = 'Disable'
export const newCodesTitle = 'Make new backup codes?'
export const newCodesHint = 'The codes you have now stop working at once. The new ones are shown only once.'
export const makeNewCodes = 'Make new codes'
export const statusFailed = 'Failed to check 2FA status'
export const enabled = '2FA Enabled'
export const twoFactor = 'Two-Factor Authentication'
export const statusNotLoaded = 'Its status could not be loaded.'
export const tryAgain = 'Try Again'
export const isProtected = 'Your account is protected with 2FA'
export const newBackupCodes = 'New backup codes'
export const disabling = 'Disabling...'
export const recommended = 'Recommended'
export const enableHint = 'Add an extra layer of security to your account'
export const enable = 'Enable 2FA'
export const enabledNow = '2FA Enabled Successfully!'

// required-two-factor
export const requiredTitle = 'Protect your account'
export const requiredHint =
  'This assistant may only be used with two-factor authentication. You need an authenticator app, such as Google Authenticator or 1Password, and about a minute.'
export const requiredDone = 'Two-factor authentication is on.'
export const requiredSetUp = 'Set up now'
export const continueToApp = 'Continue'
export const signOut = 'Sign out'
export const stillRequired = 'Your sign-in could not be renewed. Please try again.'

// setup-wizard
export const saveCodes = 'Save your backup codes'
export const setUp = 'Set up two-factor authentication'
export const secondStep =
  'Step 2 of 2. Two-factor authentication is on. You were signed out on all other devices.'
export const firstStep = 'Step 1 of 2'
export const continueToSettings = 'Continue to Settings'
export const verify = 'Verify'
export const preparingKey = 'Preparing your key…'
export const keyCopied = 'Copied to clipboard'
export const scanCode = 'Scan the code with your authenticator app, then type the six digits it shows.'
export const qrCode = 'QR code for your authenticator app'
export const openApp = 'Open authenticator app'
export const cannotScan = 'Cannot scan it?'
export const typeKey = 'Type this key into the app.'
export const copyKey = 'Copy key'

// backup-codes
export const codesCopied = 'Backup codes copied'
export const codesCopiedHint = 'Store these codes in a safe place.'
export const codesHint = 'Each code signs you in once without the app. They are shown only now.'
export const backupCodes = 'Backup codes'
export const copyAll = 'Copy all'
export const codesFile = 'backup codes.txt'
export const download = 'Download'
export const saveNewCodes = 'Save your new backup codes'
export const oldCodesHint = 'The old ones no longer work.'

// factor-change-dialog
export const confirmIdentity = 'You signed in a while ago. Please confirm that it is you.'

// two-factor-queries
export const notAuthenticated = 'Not authenticated'
export const noResponse = 'No response. Check your connection and try again.'
export const unknownError = 'Something went wrong. Please try again.'

// use-two-factor-change
export const disabled = '2FA Disabled'
export const disabledHint = 'Two-factor authentication has been disabled for your account.'
export const disableFailed = 'Failed to disable 2FA'
