import { plural } from '../../../lib/plural.ts'

// users-section
export const users = 'Users'
export const usersHint = 'Everyone with an account on this installation.'
export const search = 'Search by e-mail'
export const clearSearch = 'Clear the search'
export const loading = 'Loading the users'
export const noUsers = 'Nobody yet. Invite people in the section “Invitations”.'
export const noMatches = (query: string) => `No address begins with “${query}”.`
export const found = (count: number, hasMore: boolean) =>
  hasMore
    ? `The first ${count.toLocaleString()} users`
    : plural(count, { one: '1 user', other: `${count.toLocaleString()} users` })

// user-row
export const statuses = {
  active: 'Active',
  unconfirmed: 'Not confirmed',
  disabled: 'Disabled',
  reset_required: 'Must reset the password',
}
export const passwordSignIn = 'Password'
export const twoFactor = 'Two-factor'

// user-section
export const allUsers = 'All users'
export const userNotFound = 'There is no such user. The account may have been deleted.'
export const userNotLoaded = 'This user could not be loaded.'
export const loadingUser = 'Loading the user'
export const you = 'This is you'
export const name = 'Name'
export const noName = 'None'
export const status = 'Status'
export const signIn = 'Signs in with'
export const twoFactorState = (isOn: boolean) => (isOn ? 'On' : 'Off')
export const twoFactorAt = (label: string) => `Set at ${label}`
export const since = 'Account since'
export const id = 'ID'
export const usage = 'Usage'
export const usageHint = 'What replies to this user used. Days and months are in UTC.'
export const today = 'Today'
export const month = 'This month'
export const limits = 'Limits in force'
export const groups = 'Groups'
export const groupsHint = 'They decide what the user may use.'
export const groupMemberships = 'Member of'
export const inNoGroup = 'In no group'
export const providerGroups = (label: string) => `From ${label}`
export const providerGroupsHint = (label: string) =>
  `${label} names them at each sign-in. They can be changed only there, and a change counts from the next sign-in on.`
export const changeGroups = 'Change groups'
export const changeGroupsHint = 'The change counts at once.'
export const save = 'Save'

// user-actions
export const actions = 'Access'
export const disable = 'Disable'
export const disableTitle = 'Disable account'
export const disableHint = 'Signs the user out and refuses sign-in. Everything that is stored stays.'
export const disableQuestion = (email: string) => `Disable ${email}?`
export const disableConsequence =
  'The user is signed out on all devices at once and cannot sign in again until you enable the account. Conversations, files and connections stay.'
export const enable = 'Enable'
export const enableTitle = 'Enable account'
export const enableHint = 'The user can sign in again, with everything as it was.'
export const enabled = 'Account enabled'
export const signOut = 'Sign out'
export const signOutTitle = 'Sign out everywhere'
export const signOutHint = 'Ends the sign-in in every browser and on every device.'
export const signOutQuestion = (email: string) => `Sign out ${email} everywhere?`
export const signOutConsequence =
  'All devices have to sign in again. A reply that is being written ends as usual.'
export const signedOut = 'Signed out on all devices'
export const reset = 'Reset'
export const resetTitle = 'Reset two-factor'
export const resetHint = 'For somebody who has lost the authenticator app and the backup codes.'
export const resetOff = 'This account has no second factor.'
export const resetQuestion = (email: string) => `Reset two-factor of ${email}?`
export const resetConsequence =
  'The authenticator app and all backup codes stop working. Until the user sets up a new one, the password alone is enough. Make sure that the request really comes from this person.'
export const resetDone = 'Two-factor is off'
export const deleteUser = 'Delete'
export const deleteTitle = 'Delete account'
export const deleteHint = 'Deletes the account and everything stored with it.'
export const ownDisable = 'You cannot disable your own account.'
export const ownAccount = 'For your own account, use Settings.'
export const ownGroups = 'You cannot leave “admins” yourself. Another administrator can remove you from it.'

// delete-user-dialog
export const deleteQuestion = 'Delete this account?'
export const deleteConsequence =
  'This deletes the account with its conversations, files, connections, settings and memories. It cannot be undone. The user is not asked.'
export const typeEmail = (email: string) => `Type ${email} to confirm`
export const deleteForGood = 'Delete for good'
export const deleting = 'Deleting…'
export const tryAgainToDelete = (problem: string) => `${problem} Try again to delete the rest.`
export const deleted = 'The account is deleted'
export const receiptItems = (email: string, items: string) =>
  `${email} has been deleted, with its profile and settings${items}.`
export const receiptBackups = (day: string) =>
  `The database's own backups end on ${day}. Until then an operator could restore what was in it. Files and credentials have no backup.`
export const copyReceipt = 'Copy receipt'
export const downloadReceipt = 'Download receipt'
export const receiptCopied = 'Receipt copied'
export const receipt = {
  title: 'Receipt of an account deletion',
  account: (email: string) => `Account: ${email}`,
  id: (id: string) => `ID: ${id}`,
  requested: (date: string) => `Requested: ${date}`,
  deleted: (items: string) => `Deleted: profile, settings, ${items}`,
  backups: (date: string) => `Last database backup ends: ${date}`,
}
