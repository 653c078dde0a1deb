import * as texts from './error-texts.ts'

/** Loads the list of common passwords, which is too large for the first page. */
const loadList = () => import('#shared/common-passwords.ts')

/** Loads the list while a new password is being typed, so that it is there when the form is sent. A failure is ignored: sending tries again. */
export const preloadPasswordCheck = (): void => void loadList().catch(() => undefined)

/**
 * Checks a new password against the list of common ones, which the user pool does not have. A password passes if the list does not load.
 * @returns why a new password is refused
 */
export async function describeWeakPassword(password: string): Promise<string | undefined> {
  const isCommon = await loadList().then(
    ({ isCommonPassword }) => isCommonPassword(password),
    () => false,
  )
  return isCommon ? texts.passwordCommon : undefined
}
