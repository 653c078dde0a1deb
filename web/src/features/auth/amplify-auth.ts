/** The sign-in library's flows. Loaded by `import()` when someone signs in or up: a session that stands needs none of them. */
export {
  confirmResetPassword,
  confirmSignIn,
  confirmSignUp,
  resendSignUpCode,
  resetPassword,
  signIn,
  signUp,
} from 'aws-amplify/auth'
