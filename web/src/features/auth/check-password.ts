import * as texts from './error-texts.ts'

/** Loads the list of common passwords, which is too large for the first page. */
const loadList = () => import('#shared/common-passwords.ts')

/** Called while a new password is typed, so that the list is there when it is sent. A load error is nobody's fault yet. */
export const preloadPasswordCheck = (): void => void loadList().catch(() => undefined)

/**
 * The user pool's service cannot refuse a common password. If the list does not load, the password is sent.
 * @returns why a new password is refused
 */
export async function describeWeakPassword(password: string): Promise<string | undefined> {
  const isCommon = await loadList().then(
    ({ isCommonPassword }) => isCommonPassword(password),
    () => false,
  )
  return isCommon ? texts.passwordCommon : undefined
}
