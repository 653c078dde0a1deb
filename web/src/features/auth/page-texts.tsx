import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

// auth-page
export const footer = t`Self-hosted: your data is stored in your organisation's AWS account. The configured model and the tools that you connect receive what is sent to them.`
export const localFooter = t`Self-hosted: your data is stored on the computer that runs this. The configured model and the tools that you connect receive what is sent to them.`
export const signingIn = t`Signing you in…`
export const confirmingEmail = t`Confirming your e-mail address…`
export const createAccount = t`Create account`
export const signIn = t`Sign in`
export const confirm = t`Confirm`
export const checkEmail = t`Check your e-mail`
export const newPassword = t`New password`
export const twoFactor = t`Two-factor`
export const emailConfirmed = t`Email Confirmed`
export const youCanSignIn = t`You can sign in now.`
export const enterEmailToReset = t`Enter your e-mail address, then choose “Forgot your password?”.`
export const chooseNewPasswordHint = t`Choose a new password.`
export const passwordReset = t`Password Reset`

// confirm-step
export const codeIncomplete = (digits: number) =>
  plural(digits, {
    one: 'Please enter the # digit of the code.',
    other: 'Please enter the # digits of the code.',
  })
export const confirmationSent = (email: string) => (
  <Trans>
    We sent a confirmation to <strong className="font-medium text-ink">{email}</strong>: click the link in the
    e-mail, or type its code here.
  </Trans>
)
export const confirmEmail = (email: string) => (
  <Trans>
    Confirm <strong className="font-medium text-ink">{email}</strong>: click the link in the e-mail, or type
    its code here.
  </Trans>
)
export const otherEmail = t`Use another e-mail address`
export const backToSignIn = t`Back to sign in`
export const emailResent = t`A new e-mail is on its way.`
export const codeFromEmail = t`Code from the e-mail`
export const noRealEmails = t`No real e-mails are sent here.`
export const openMailbox = t`Open the local mailbox`
export const nothingThere = t`Nothing there? Check your spam folder.`
export const resendIn = (seconds: number) => t`Send again in ${seconds} s`
export const resend = t`Send it again`

// credentials-form
export const domainHint = t`Sign-up is limited to certain e-mail domains. Use your address at one of them.`
export const createHint = (assistantName: string) => t`One minute, then ${assistantName} answers.`
export const invitedHint = (assistantName: string) =>
  t`Use the address that was invited. One minute, then ${assistantName} answers.`
export const signInHint = (assistantName: string) => t`${assistantName} is ready when you are.`
export const haveAccount = t`Have an account?`
export const newHere = t`New here?`
export const byInvitation = t`New here? This site is by invitation: ask the person who runs it for a link.`
export const or = t`or`
export const fullName = t`Full name`
export const email = t`E-mail`
export const password = t`Password`
export const forgotPassword = t`Forgot your password?`
export const continueWith = (label: string) => t`Continue with ${label}`
export const providerHint = (label: string) => t`Your organisation signs in with ${label}.`
export const usePassword = t`Use a password instead`

// provider-form
export const invitedToProvider = t`Use the address that was invited.`
export const continueByEmail = t`Continue`

// reset-step
export const resetLinkExpired = t`This link was already used or has expired. Send a new e-mail, then click its link or type its code.`
export const resetLinkIncomplete = t`This link is incomplete. Type the code from the e-mail, or send a new one.`
export const chooseNewPassword = t`Choose a new password`
export const choosePassword = t`Choose a password`
export const resetByLinkSubtitle = (email: string) => (
  <Trans>
    For <strong className="font-medium text-ink">{email}</strong>.
  </Trans>
)
export const signedUpElsewhere = (email: string) => (
  <Trans>
    Your e-mail address is confirmed. This account was created in another browser, so please choose a password
    of your own: we sent a second e-mail to <strong className="font-medium text-ink">{email}</strong>. Click
    its link, or type its code here.
  </Trans>
)
export const resetByCodeSubtitle = (email: string) => (
  <Trans>
    The new password is for <strong className="font-medium text-ink">{email}</strong>.
  </Trans>
)
export const resetSent = (email: string) => (
  <Trans>
    If there is an account for <strong className="font-medium text-ink">{email}</strong>, we sent it an
    e-mail. Click its link, or type its code here.
  </Trans>
)
export const setNewPassword = t`Set new password`

// totp-step
export const enterCode = t`Enter your code`
export const backupCodeHint = t`One of the ten codes you saved when you set two-factor up. Each works once.`
export const codeHint = t`The six digits from your authenticator app.`
export const haveApp = t`Have your app at hand?`
export const noApp = t`Can’t use your app?`
export const useItsCode = t`Use the app’s code`
export const waitingForNextCode = t`Your last code was just used. Waiting for the next one, up to 30 seconds…`
export const verify = t`Verify`

// use-auth-flow
export const confirmationLinkExpired = t`This link was already used or has expired. Send a new e-mail, or sign in if you have confirmed before.`
export const passwordChanged = t`Your password is changed. Sign in with the new one.`
export const notConfirmedYet = t`Never confirmed it? Send the e-mail again`
export const choosePasswordLater = t`Your e-mail address is confirmed. Choose “Forgot your password?” to set a password, then sign in with it.`
export const enterCodeOrResend = t`Enter the code, or send the e-mail again`
export const accountCreated = t`Account created! Please check your email to confirm your account.`
export const welcome = t`Welcome!`
export const welcomeBack = t`Welcome back!`
export const accountReady = t`Your account is ready.`
export const choosePasswordToFinish = t`Choose a password to finish.`
export const resetEmailSent = t`Password reset email sent`
export const resetEmailHint = t`Check your email for password reset instructions.`
export const signInCancelled = t`Sign in cancelled`
