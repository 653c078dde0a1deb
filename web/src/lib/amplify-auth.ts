/** Amplify's functions for signing in and up, loaded on demand: most visits need none of them. */

// has Amplify keep a sign-in in progress in memory
import './challenge-in-memory.ts'

export {
  confirmResetPassword,
  confirmSignIn,
  confirmSignUp,
  resendSignUpCode,
  resetPassword,
  signIn,
  signUp,
} from 'aws-amplify/auth'
