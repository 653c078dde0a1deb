/** Names of the service's exceptions that this pool can answer; clients switch on them. */
type CognitoErrorName =
  | 'AliasExistsException'
  | 'CodeMismatchException'
  | 'EnableSoftwareTokenMFAException'
  | 'ExpiredCodeException'
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

/** An answer of the user pool that is not a success; the HTTP layer writes it on the wire. */
export class CognitoError extends Error {
  override readonly name: CognitoErrorName
  readonly status: number

  constructor(name: CognitoErrorName, message: string, options?: { cause?: unknown; status?: number }) {
    super(message, { cause: options?.cause })
    this.name = name
    this.status = options?.status ?? (name === 'InternalErrorException' ? 500 : 400)
  }
}

/** The one answer to a wrong password and to an unknown user. */
export const wrongCredentials = (): CognitoError =>
  new CognitoError('NotAuthorizedException', 'Incorrect username or password.')

/** The answer to a code that is not the one that was mailed. */
export const wrongCode = (): CognitoError =>
  new CognitoError('CodeMismatchException', 'Invalid verification code provided, please try again.')

/** The answer to a code that has expired, or where none was asked for. */
export const expiredCode = (): CognitoError =>
  new CognitoError('ExpiredCodeException', 'Invalid code provided, please request a code again.')
