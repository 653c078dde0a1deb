import { plural, t } from '@lingui/core/macro'
import { formatCount } from '../../lib/locale.ts'

// settings-page
export const settings = t`Settings`
export const subtitle = t`Manage your account preferences`
export const sections = t`Sections`
export const groupYou = t`You`
export const groupData = t`Data`
export const sectionProfile = t`Profile`
export const sectionPrivacy = t`Privacy`
export const sectionSecurity = t`Security`
export const sectionImport = t`Import`
export const sectionInstructions = t`Instructions`
export const sectionUsage = t`Usage`
export const sectionActivity = t`Activity`
export const notLoaded = t`Your settings could not be loaded.`
export const loading = t`Loading your settings`
export const promptsHint = t`Type / at the beginning of a message to insert one, in any conversation.`
export const licences = t`Third-party licences`

// profile-card
export const profileUpdated = t`Profile updated!`
export const profileUpdatedHint = t`Your changes have been saved successfully.`
export const updateFailed = t`Update failed`
export const yourProfile = t`Your Profile`
export const nameLabel = (assistantName: string) => t`What should ${assistantName} call you?`
export const namePlaceholder = t`Your display name`
export const saveChanges = t`Save Changes`
export const signInAs = (email: string) => t`You sign in as ${email}.`
export const appearance = t`Appearance`
export const appearanceHint = t`System follows your device, also when it changes at night.`

// avatar-picker
export const avatarUploaded = t`Avatar uploaded!`
export const avatarUploadedHint = t`Don't forget to save your changes.`
export const notAnImage = t`This file is not an image that your browser can show. Please choose another one.`
export const uploadFailed = t`Upload failed`
export const changePicture = (initials: string) => t`${initials}, change picture`
export const picture = t`Picture`

// privacy-card
export const privacy = t`Privacy & Your Digital Footprint`
export const privacyHint = t`What stays here after you close the page.`
export const keepConversations = t`Keep conversations`
export const keepConversationsHint = t`Chats are saved and come back in the history. When off, new chats disappear when you leave; saved ones stay until you delete them.`
export const deleteSaved = t`Delete saved conversations`
export const storeUploads = t`Store uploads`
export const storeUploadsHint = t`Images and files you share are stored with their chat and deleted with it. When off, each is read once and removed when the reply is done.`
export const stillSaved = (count: number) =>
  plural(count, {
    one: '# conversation from before is still saved.',
    other: `# conversations from before are still saved.`,
  })

// your-data
export const exportReady = t`Export ready`
export const exportReadyHint = t`Look for the zip file among your downloads.`
export const exportFailed = t`Export failed`
export const yourFiles = t`Your files`
export const yourFilesHint = t`The files you attached and the images generated for you.`
export const showFiles = t`Show files`
export const storedData = t`Your stored data`
export const notCounted = t`It could not be counted. Please try again later.`
export const exporting = t`Exporting…`
export const exportAll = t`Export everything`
export const deleteAccount = t`Delete account`
export const deleteAccountHint = t`Permanently deletes your account and all your data.`

// delete-conversations-dialog
export const conversationsDeleted = t`Conversations deleted`
export const notAllDeleted = t`Not everything was deleted`
export const deleteConversationsTitle = (count: number) =>
  plural(count, { one: 'Delete # saved conversation?', other: `Delete # saved conversations?` })
export const confirmDelete = t`Delete`
export const deleteConversationsHint = t`This deletes all of them, with their messages and files. This cannot be undone.`
export const deletingLeft = (count: number) => t`Deleting: ${formatCount(count)} left.`

// delete-account-dialog
export const accountDeleted = t`Your account is deleted`
export const accountDeletedReceipt = (email: string, itemsSuffix: string) =>
  t`${email} has been deleted, with its profile and settings${itemsSuffix}.`
export const backupsEnd = (day: string) =>
  t`The database's own backups end on ${day}. Until then an operator could restore what was in it. Files and credentials have no backup.`
export const deleteAccountTitle = t`Delete your account?`
export const deleteForGood = t`Delete for good`
export const everythingStored = t` and everything stored with it`
export const onlyAdministratorWarning = t`You are an administrator. If you are the only one, make somebody else an administrator first. Otherwise nobody can manage users on this site until its operator makes a new administrator.`
export const deleteAccountWarning = (itemsSuffix: string) =>
  t`This deletes your account, your profile and your settings${itemsSuffix}. This cannot be undone. To keep a copy, export everything first.`
export const signInAgain = t`Sign in again`
export const typeToConfirm = (word: string) => t`Type ${word} to confirm`
export const confirmWithCode = t`You signed in a while ago. Please confirm with a two-factor code that it is you.`

// security-card
export const security = t`Security Settings`
export const noEmail = t`No email found`
export const resetEmailSent = t`Password reset email sent`
export const resetEmailHint = t`Check your email for password reset instructions.`
export const password = t`Password`
export const providerPasswordHint = (label: string) =>
  t`You sign in with ${label}. Change your password there.`
export const providerFactorHint = (label: string) =>
  t`You sign in with ${label}. Set up two-factor authentication in your ${label} account.`
export const passwordsOff = t`Sign-in with a password is switched off here.`
export const passwordHint = t`We send you an e-mail with a link to set a new one.`
export const changePassword = t`Change Password`
export const notConfigured = t`The service is not fully configured.`
export const tooManyEmails = t`Too many e-mails were requested. Please try again later.`
export const signedOut = t`Signed out`
export const signedOutHint = t`You have been signed out on all devices.`
export const sessions = t`Sessions`
export const sessionsHint = t`Signs you out in every browser and on every device, this one included.`
export const signOutEverywhere = t`Sign out everywhere`

// activity-card
export const activity = t`What the assistant did`
export const activityHint = (assistantName: string) =>
  t`Every call of your tools that ${assistantName} made, and those you denied. Stored for a year, or until you delete the list.`
export const loadingActivity = t`Loading what the assistant did`
export const activityNotLoaded = t`The list could not be loaded.`
export const noActivity = t`Nothing yet. Calls of your tools are listed here.`
export const deleteList = t`Delete the list`
export const listDeleted = t`List deleted`
export const deleteListTitle = t`Delete the whole list?`
export const deleteListHint = t`This clears the list only. It does not undo any action, and your conversations stay. This cannot be undone.`
export const alwaysAllowed = t`Always allowed`
export const alwaysAllowedHint = t`These tools run without your approval. If the description of a tool changes, it asks again.`
export const loadingAllowed = t`Loading what is always allowed`
export const allowedNotLoaded = t`The allowed tools could not be loaded.`
export const noneAllowed = t`None: every call that writes, sends or deletes asks first.`
export const allowedSince = (day: string) => t`Since ${day}`
export const askAgainFor = (tool: string) => t`Ask again for ${tool}`
export const askAgain = t`Ask again`

// activity-row
export const onlyReads = t`Only reads`
export const approvedByYou = t`You approved it`
export const deniedByYou = t`Denied by you`
export const denied = t`Denied`
export const succeeded = t`Succeeded`
export const failed = t`Failed`
export const callArguments = t`Arguments`
export const notStored = t`Not stored: this was a temporary chat`
export const result = t`Result`
export const characterCount = (count: number) => plural(count, { one: '# character', other: `# characters` })

// shared-links-card
export const sharedLinks = t`Shared links`
export const sharedLinksHint = t`Copies of conversations. Anybody with the link can read the copy until the link expires or you revoke it.`
export const sharingOff = t`Sharing is turned off: these links do not work.`
export const loadingLinks = t`Loading your links`
export const linksNotLoaded = t`Your links could not be loaded.`
export const noLinks = t`No links yet. To create one, choose “Share” in the menu of a conversation.`
export const linkCopied = t`Link copied`
export const linkRevoked = t`Link revoked`
export const linkDetails = (messages: number, sharedOn: string, endsOn: string) =>
  plural(messages, {
    one: `# message · shared ${sharedOn} · works until ${endsOn}`,
    other: `# messages · shared ${sharedOn} · works until ${endsOn}`,
  })
export const copyLinkTo = (title: string) => t`Copy link to ${title}`
export const copyLink = t`Copy link`
export const revokeLinkTo = (title: string) => t`Revoke link to ${title}`
export const revoke = t`Revoke`
export const revokeTitle = t`Revoke this link?`
export const revokeLink = t`Revoke link`
export const revokeHint = (title: string) =>
  t`It will no longer open the copy of “${title}”. People who have read the copy may have saved it. This cannot be undone.`

// notifications-card
export const notificationsBlocked = t`This browser blocks notifications of this site. Allow them in its settings for the site, then switch this on.`
export const notificationsUnsupported = t`This browser has no notifications for this site. On an iPhone or iPad, add the site to the Home Screen first.`
export const notifications = t`Notifications`
export const notificationsHint = t`For this browser only.`
export const notifyReply = t`Tell me when a reply is ready`
export const notifyReplyHint = t`When a long reply ends while you look at something else. The notification does not quote the conversation.`

// two-factor-row
export const codesLeft = (count: number) =>
  plural(count, { one: '# backup code left', other: '# backup codes left' })
export const noCodesLeft = t`No backup codes left: make new ones.`
export const fewCodesLeft = (count: number) =>
  plural(count, {
    one: 'Only # backup code left: make new ones.',
    other: `Only # backup codes left: make new ones.`,
  })
