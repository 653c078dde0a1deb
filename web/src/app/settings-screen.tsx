import { useMemo } from 'react'
import { AccountActionsContext, type AccountActions } from '../features/account/account-actions.ts'
import { ImportCard } from '../features/import/import-card.tsx'
import { SettingsPage } from '../features/account/settings-page.tsx'
import { useAuth } from '../features/auth/auth-context.ts'
import { useSignedInUser } from './authenticated-layout.tsx'

/** The code of uploads loads with the first file. */
const uploadFile = async (file: File, signal: AbortSignal) => {
  const uploads = await import('../features/chat/attachments/upload-file.ts')
  // its progress is not shown
  return uploads.uploadFile(file, () => undefined, signal)
}

/** The page at /settings and /profile, connected to the sign-in. */
export function SettingsScreen() {
  const user = useSignedInUser()
  const { expireSignIn, signOut } = useAuth()
  const actions = useMemo<AccountActions>(
    () => ({ expireSignIn, signOut: (toast) => signOut({ isRevoked: true, toast }) }),
    [expireSignIn, signOut],
  )
  return (
    <AccountActionsContext value={actions}>
      <SettingsPage user={user} importCard={<ImportCard userId={user.sub} uploadFile={uploadFile} />} />
    </AccountActionsContext>
  )
}
