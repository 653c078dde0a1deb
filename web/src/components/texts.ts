/** Constants only, which are inlined: with a function, this module would become a chunk that the first page loads. */
export const cancel = 'Cancel'
export const close = 'Close'
export const copied = 'Copied'
export const retry = 'Retry'
export const tryAgain = 'Try again'
export const startFreshChat = 'Start Fresh Chat'

// action-dialog
export const notSaved = 'Your changes are not saved yet.'
export const discard = 'Discard changes'

// authentication-required
export const authenticationRequired = 'Authentication Required'

// error-fallbacks
export const pageNotLoaded = 'This page could not be loaded. Your conversations are safe.'
export const pageBroken = 'This page stopped working. Your conversations are safe.'
export const partNotLoaded = 'This part could not be loaded.'
export const partBroken = 'This part stopped working.'
export const somethingWentWrong = 'Something went wrong'
export const returnHome = 'Return to Home'
export const error = 'Error'

// loading-screen
export const loading = 'Loading'
export const loadingTakesLong = 'This is taking longer than it should.'
export const reloadPage = 'Reload the page'

// offline-bar
export const offline = 'Offline. Your text stays here.'

// page-header
export const back = 'Back'

// second-factor-code
export const verificationCode = 'Verification code'
export const backupCode = 'Backup code'
export const appCodeInstead = 'Use the app’s code'
export const backupCodeInstead = 'Use a backup code'
export const codeMissing = 'Please enter a verification code'
export const codeInvalid = 'Please enter a valid 6-digit code'

// use-copy
export const copyFailed = 'Copy failed'
export const copyByHand = 'Please copy the text manually'

// password-field
export const hidePassword = 'Hide password'
export const showPassword = 'Show password'

// toaster
export const notifications = 'Notifications'

// account-button
export const accountMenu = 'account menu'

// changed-elsewhere
export const useNewer = 'Use the newer version'
export const changedElsewhere =
  'This was changed elsewhere while you were editing. Saving replaces the newer version, which is:'
export const emptiedElsewhere =
  'This was emptied elsewhere while you were editing. Save to keep your text, or use the newer version.'
