import { t } from '@lingui/core/macro'

// two-factor-row
export const disableTitle = t`Disable two-factor authentication?`
export const disableHint = t`From then on your password alone signs you in. Your backup codes stop working.`
export const disable = t`Disable`
export const newCodesTitle = t`Make new backup codes?`
export const newCodesHint = t`The codes you have now stop working at once. The new ones are shown only once.`
export const makeNewCodes = t`Make new codes`
export const statusFailed = t`Failed to check 2FA status`
export const enabled = t`2FA Enabled`
export const twoFactor = t`Two-Factor Authentication`
export const statusNotLoaded = t`Its status could not be loaded.`
export const tryAgain = t`Try Again`
export const isProtected = t`Your account is protected with 2FA`
export const newBackupCodes = t`New backup codes`
export const disabling = t`Disabling...`
export const recommended = t`Recommended`
export const enableHint = t`Add an extra layer of security to your account`
export const enable = t`Enable 2FA`
export const enabledNow = t`2FA Enabled Successfully!`

// required-two-factor
export const requiredTitle = t`Protect your account`
export const requiredHint = t`This assistant may only be used with two-factor authentication. You need an authenticator app, such as Google Authenticator or 1Password, and about a minute.`
export const requiredDone = t`Two-factor authentication is on.`
export const requiredSetUp = t`Set up now`
export const continueToApp = t`Continue`
export const signOut = t`Sign out`
export const stillRequired = t`Your sign-in could not be renewed. Please try again.`

// setup-wizard
export const saveCodes = t`Save your backup codes`
export const setUp = t`Set up two-factor authentication`
export const secondStep = t`Step 2 of 2. Two-factor authentication is on. You were signed out on all other devices.`
export const firstStep = t`Step 1 of 2`
export const continueToSettings = t`Continue to Settings`
export const verify = t`Verify`
export const preparingKey = t`Preparing your key…`
export const keyCopied = t`Copied to clipboard`
export const scanCode = t`Scan the code with your authenticator app, then type the six digits it shows.`
export const qrCode = t`QR code for your authenticator app`
export const openApp = t`Open authenticator app`
export const cannotScan = t`Cannot scan it?`
export const typeKey = t`Type this key into the app.`
export const copyKey = t`Copy key`

// backup-codes
export const codesCopied = t`Backup codes copied`
export const codesCopiedHint = t`Store these codes in a safe place.`
export const codesHint = t`Each code signs you in once without the app. They are shown only now.`
export const backupCodes = t`Backup codes`
export const copyAll = t`Copy all`
export const codesFile = t`backup codes.txt`
export const download = t`Download`
export const saveNewCodes = t`Save your new backup codes`
export const oldCodesHint = t`The old ones no longer work.`

// factor-change-dialog
export const confirmIdentity = t`You signed in a while ago. Please confirm that it is you.`

// two-factor-queries
export const notAuthenticated = t`Not authenticated`
export const noResponse = t`No response. Check your connection and try again.`
export const unknownError = t`Something went wrong. Please try again.`

// use-two-factor-change
export const disabled = t`2FA Disabled`
export const disabledHint = t`Two-factor authentication has been disabled for your account.`
export const disableFailed = t`Failed to disable 2FA`
