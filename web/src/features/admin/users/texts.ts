import { plural, t } from '@lingui/core/macro'
import { formatCount } from '../../../lib/locale.ts'

// users-section
export const users = t`Users`
export const usersHint = t`Everyone with an account on this installation.`
export const search = t`Search by e-mail`
export const clearSearch = t`Clear the search`
export const loading = t`Loading the users`
export const noUsers = t`Nobody yet. Invite people in the section “Invitations”.`
export const noMatches = (query: string) => t`No address begins with “${query}”.`
export const found = (count: number, hasMore: boolean) =>
  hasMore ? t`The first ${formatCount(count)} users` : plural(count, { one: '# user', other: `# users` })

// user-row
export const statuses = {
  active: t({ message: 'Active', context: 'account' }),
  unconfirmed: t`Not confirmed`,
  disabled: t`Disabled`,
  reset_required: t`Must reset the password`,
}
export const passwordSignIn = t`Password`
export const twoFactor = t`Two-factor`

// user-section
export const allUsers = t`All users`
export const userNotFound = t`There is no such user. The account may have been deleted.`
export const userNotLoaded = t`This user could not be loaded.`
export const loadingUser = t`Loading the user`
export const you = t`This is you`
export const name = t`Name`
export const noName = t({ message: 'None', context: 'name' })
export const status = t`Status`
export const signIn = t`Signs in with`
export const twoFactorState = (isOn: boolean) => (isOn ? t`On` : t`Off`)
export const twoFactorAt = (label: string) => t`Set at ${label}`
export const since = t`Account since`
export const id = t`ID`
export const usage = t`Usage`
export const usageHint = t`What replies to this user used. Days and months are in UTC.`
export const today = t`Today`
export const month = t`This month`
export const limits = t`Limits in force`
export const groups = t`Groups`
export const groupsHint = t`They decide what the user may use.`
export const groupMemberships = t`Member of`
export const inNoGroup = t`In no group`
export const providerGroups = (label: string) => t`From ${label}`
export const providerGroupsHint = (label: string) =>
  t`${label} names them at each sign-in. They can be changed only there, and a change counts from the next sign-in on.`
export const changeGroups = t`Change groups`
export const changeGroupsHint = t`The change counts at once.`
export const save = t`Save`

// user-actions
export const actions = t`Access`
export const disable = t`Disable`
export const disableTitle = t`Disable account`
export const disableHint = t`Signs the user out and refuses sign-in. Everything that is stored stays.`
export const disableQuestion = (email: string) => t`Disable ${email}?`
export const disableConsequence = t`The user is signed out on all devices at once and cannot sign in again until you enable the account. Conversations, files and connections stay.`
export const enable = t`Enable`
export const enableTitle = t`Enable account`
export const enableHint = t`The user can sign in again, with everything as it was.`
export const enabled = t`Account enabled`
export const signOut = t`Sign out`
export const signOutTitle = t`Sign out everywhere`
export const signOutHint = t`Ends the sign-in in every browser and on every device.`
export const signOutQuestion = (email: string) => t`Sign out ${email} everywhere?`
export const signOutConsequence = t`All devices have to sign in again. A reply that is being written ends as usual.`
export const signedOut = t`Signed out on all devices`
export const reset = t`Reset`
export const resetTitle = t`Reset two-factor`
export const resetHint = t`For somebody who has lost the authenticator app and the backup codes.`
export const resetOff = t`This account has no second factor.`
export const resetQuestion = (email: string) => t`Reset two-factor of ${email}?`
export const resetConsequence = t`The authenticator app and all backup codes stop working. Until the user sets up a new one, the password alone is enough. Make sure that the request really comes from this person.`
export const resetDone = t`Two-factor is off`
export const deleteUser = t`Delete`
export const deleteTitle = t`Delete account`
export const deleteHint = t`Deletes the account and everything stored with it.`
export const ownDisable = t`You cannot disable your own account.`
export const ownAccount = t`For your own account, use Settings.`
export const ownGroups = t`You cannot leave “admins” yourself. Another administrator can remove you from it.`

// delete-user-dialog
export const deleteQuestion = t`Delete this account?`
export const deleteConsequence = t`This deletes the account with its conversations, files, connections, settings and memories. It cannot be undone. The user is not asked.`
export const typeEmail = (email: string) => t`Type ${email} to confirm`
export const deleteForGood = t`Delete for good`
export const deleted = t`The account is deleted`
export const receiptItems = (email: string, items: string) =>
  t`${email} has been deleted, with its profile and settings${items}.`
export const receiptBackups = (day: string) =>
  t`The database's own backups end on ${day}. Until then an operator could restore what was in it. Files and credentials have no backup.`
export const copyReceipt = t`Copy receipt`
export const downloadReceipt = t`Download receipt`
export const receiptCopied = t`Receipt copied`
export const receipt = {
  title: t`Receipt of an account deletion`,
  account: (email: string) => t`Account: ${email}`,
  id: (id: string) => t`ID: ${id}`,
  requested: (date: string) => t`Requested: ${date}`,
  deleted: (items: string) => t`Deleted: profile, settings, ${items}`,
  backups: (date: string) => t`Last database backup ends: ${date}`,
}
