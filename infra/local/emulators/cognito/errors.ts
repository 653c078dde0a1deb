/** The service's exceptions that this pool can return; clients switch on their names. */
type CognitoErrorName =
  | 'AliasExistsException'
  | 'CodeMismatchException'
  | 'EnableSoftwareTokenMFAException'
  | 'ExpiredCodeException'
  | 'GroupExistsException'
  | 'InternalErrorException'
  | 'InvalidLambdaResponseException'
  | 'InvalidParameterException'
  | 'InvalidPasswordException'
  | 'LimitExceededException'
  | 'NotAuthorizedException'
  | 'RefreshTokenReuseException'
  | 'ResourceNotFoundException'
  | 'SerializationException'
  | 'UnexpectedLambdaException'
  | 'UnknownOperationException'
  | 'UnsupportedTokenTypeException'
  | 'UserLambdaValidationException'
  | 'UserNotConfirmedException'
  | 'UserNotFoundException'
  | 'UsernameExistsException'

/** An error of the user pool; the HTTP layer sends it. */
export class CognitoError extends Error {
  override readonly name: CognitoErrorName
  readonly status: number

  constructor(name: CognitoErrorName, message: string, options?: { cause?: unknown; status?: number }) {
    super(message, { cause: options?.cause })
    this.name = name
    this.status = options?.status ?? (name === 'InternalErrorException' ? 500 : 400)
  }
}

/** The same error for a wrong password and an unknown user. */
export const wrongCredentials = (): CognitoError =>
  new CognitoError('NotAuthorizedException', 'Incorrect username or password.')

export const wrongCode = (): CognitoError =>
  new CognitoError('CodeMismatchException', 'Invalid verification code provided, please try again.')

/** The error for a code that has expired or was never requested. */
export const expiredCode = (): CognitoError =>
  new CognitoError('ExpiredCodeException', 'Invalid code provided, please request a code again.')

/** The error for an account that an administrator has disabled. */
export const userDisabled = (): CognitoError =>
  new CognitoError('NotAuthorizedException', 'User is disabled.')
