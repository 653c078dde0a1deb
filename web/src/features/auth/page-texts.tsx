// auth-page
const recipients = 'The configured model and the tools that you connect receive what is sent to them.'
export const footer = `Self-hosted: your data is stored in your organisation's AWS account. ${recipients}`
export const localFooter = `Self-hosted: your data is stored on the computer that runs this. ${recipients}`
export const signingIn = 'Signing you in…'
export const confirmingEmail = 'Confirming your e-mail address…'
export const createAccount = 'Create account'
export const signIn = 'Sign in'
export const confirm = 'Confirm'
export const checkEmail = 'Check your e-mail'
export const newPassword = 'New password'
export const twoFactor = 'Two-factor'
export const emailConfirmed = 'Email Confirmed'
export const youCanSignIn = 'You can sign in now.'
export const enterEmailToReset = 'Enter your e-mail address, then choose “Forgot your password?”.'
export const chooseNewPasswordHint = 'Choose a new password.'
export const passwordReset = 'Password Reset'

// confirm-step
export const codeIncomplete = (digits: number) => `Please enter the ${digits} digits of the code.`
export const confirmationSent = (email: string) => (
  <>
    We sent a confirmation to <strong className="font-medium text-ink">{email}</strong>: click the link in the
    e-mail, or type its code here.
  </>
)
export const confirmEmail = (email: string) => (
  <>
    Confirm <strong className="font-medium text-ink">{email}</strong>: click the link in the e-mail, or type
    its code here.
  </>
)
export const otherEmail = 'Use another e-mail address'
export const backToSignIn = 'Back to sign in'
export const emailResent = 'A new e-mail is on its way.'
export const codeFromEmail = 'Code from the e-mail'
export const noRealEmails = 'No real e-mails are sent here.'
export const openMailbox = 'Open the local mailbox'
export const nothingThere = 'Nothing there? Check your spam folder.'
export const resendIn = (seconds: number) => `Send again in ${seconds} s`
export const resend = 'Send it again'

// credentials-form
export const domainHint = 'Sign-up is limited to certain e-mail domains. Use your address at one of them.'
export const createHint = (assistantName: string) => `One minute, then ${assistantName} answers.`
export const invitedHint = (assistantName: string) =>
  `Use the address that was invited. One minute, then ${assistantName} answers.`
export const signInHint = (assistantName: string) => `${assistantName} is ready when you are.`
export const haveAccount = 'Have an account?'
export const newHere = 'New here?'
export const byInvitation = 'New here? This site is by invitation: ask the person who runs it for a link.'
export const or = 'or'
export const fullName = 'Full name'
export const email = 'E-mail'
export const password = 'Password'
export const forgotPassword = 'Forgot your password?'
export const continueWith = (label: string) => `Continue with ${label}`
export const providerHint = (label: string) => `Your organisation signs in with ${label}.`
export const usePassword = 'Use a password instead'

// provider-form
export const invitedToProvider = 'Use the address that was invited.'
export const continueByEmail = 'Continue'

// reset-step
export const resetLinkExpired =
  'This link was already used or has expired. Send a new e-mail, then click its link or type its code.'
export const resetLinkIncomplete =
  'This link is incomplete. Type the code from the e-mail, or send a new one.'
export const chooseNewPassword = 'Choose a new password'
export const choosePassword = 'Choose a password'
export const resetByLinkSubtitle = (email: string) => (
  <>
    For <strong className="font-medium text-ink">{email}</strong>.
  </>
)
export const signedUpElsewhere = (email: string) => (
  <>
    Your e-mail address is confirmed. This account was created in another browser, so please choose a password
    of your own: we sent a second e-mail to <strong className="font-medium text-ink">{email}</strong>. Click
    its link, or type its code here.
  </>
)
export const resetByCodeSubtitle = (email: string) => (
  <>
    The new password is for <strong className="font-medium text-ink">{email}</strong>.
  </>
)
export const resetSent = (email: string) => (
  <>
    If there is an account for <strong className="font-medium text-ink">{email}</strong>, we sent it an
    e-mail. Click its link, or type its code here.
  </>
)
export const setNewPassword = 'Set new password'

// totp-step
export const enterCode = 'Enter your code'
export const backupCodeHint = 'One of the ten codes you saved when you set two-factor up. Each works once.'
export const codeHint = 'The six digits from your authenticator app.'
export const haveApp = 'Have your app at hand?'
export const noApp = 'Can’t use your app?'
export const useItsCode = 'Use the app’s code'
export const waitingForNextCode = 'Your last code was just used. Waiting for the next one, up to 30 seconds…'
export const verify = 'Verify'

// use-auth-flow
export const confirmationLinkExpired =
  'This link was already used or has expired. Send a new e-mail, or sign in if you have confirmed before.'
export const passwordChanged = 'Your password is changed. Sign in with the new one.'
export const notConfirmedYet = 'Never confirmed it? Send the e-mail again'
export const choosePasswordLater =
  'Your e-mail address is confirmed. Choose “Forgot your password?” to set a password, then sign in with it.'
export const enterCodeOrResend = 'Enter the code, or send the e-mail again'
export const accountCreated = 'Account created! Please check your email to confirm your account.'
export const welcome = 'Welcome!'
export const welcomeBack = 'Welcome back!'
export const accountReady = 'Your account is ready.'
export const choosePasswordToFinish = 'Choose a password to finish.'
export const resetEmailSent = 'Password reset email sent'
export const resetEmailHint = 'Check your email for password reset instructions.'
export const signInCancelled = 'Sign in cancelled'
