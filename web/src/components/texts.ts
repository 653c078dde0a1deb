import { t } from '@lingui/core/macro'

export const cancel = t`Cancel`
export const close = t`Close`
export const copied = t`Copied`
export const retry = t`Retry`
export const tryAgain = t`Try again`
export const startFreshChat = t`Start Fresh Chat`

// action-dialog
export const notSaved = t`Your changes are not saved yet.`
export const discard = t`Discard changes`

// unsaved-dialog
export const leaveTitle = t`Leave without saving?`
export const keepEditing = t`Keep editing`

// authentication-required
export const authenticationRequired = t`Authentication Required`

// error-fallbacks
export const pageNotLoaded = t`This page could not be loaded. Your conversations are safe.`
export const pageBroken = t`This page stopped working. Your conversations are safe.`
export const partNotLoaded = t`This part could not be loaded.`
export const partBroken = t`This part stopped working.`
export const somethingWentWrong = t`Something went wrong`
export const returnHome = t`Return to Home`
export const error = t`Error`

// loaded
export const listNotLoaded = t`The list could not be loaded.`
export const moreNotLoaded = t`More could not be loaded.`
export const showMore = t`Show more`
// loading-screen
export const loading = t`Loading`
export const loadingTakesLong = t`This is taking longer than it should.`
export const reloadPage = t`Reload the page`

// offline-bar
export const offline = t`Offline. Your text stays here.`

// page-header
export const back = t`Back`

// second-factor-code
export const verificationCode = t`Verification code`
export const backupCode = t`Backup code`
export const appCodeInstead = t`Use the app’s code`
export const backupCodeInstead = t`Use a backup code`
export const codeMissing = t`Please enter a verification code`
export const codeInvalid = t`Please enter a valid 6-digit code`

// use-action
export const open = t`Open`

// use-copy
export const copyFailed = t`Copy failed`
export const copyByHand = t`Please copy the text manually`

// password-field
export const hidePassword = t`Hide password`
export const showPassword = t`Show password`

// toaster
export const notifications = t`Notifications`

// account-button
export const accountMenu = t`account menu`

// changed-elsewhere
export const useNewer = t`Use the newer version`
export const changedElsewhere = t`This was changed elsewhere while you were editing. Saving replaces the newer version, which is:`
export const emptiedElsewhere = t`This was emptied elsewhere while you were editing. Save to keep your text, or use the newer version.`

// reading-note
export const beingRead = t`is being read`
