/** Amplify's functions for signing in and up, loaded on demand: a signed-in user needs none of them. */
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
