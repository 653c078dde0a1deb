import { plural } from '../../lib/plural.ts'

// settings-page
export const settings = 'Settings'
export const subtitle = 'Manage your account preferences'
export const sections = 'Sections'
export const sectionProfile = 'Profile'
export const sectionPrivacy = 'Privacy'
export const sectionSecurity = 'Security'
export const sectionImport = 'Import'
export const sectionInstructions = 'Instructions'
export const sectionUsage = 'Usage'
export const sectionActivity = 'Activity'
export const notLoaded = 'Your settings could not be loaded.'
export const leaveTitle = 'Leave without saving?'
export const discard = 'Discard changes'
export const keepEditing = 'Keep editing'
export const profileLeaveHint = 'Your changes to the profile are not saved yet.'
export const loading = 'Loading your settings'
export const promptsHint = 'Type / at the beginning of a message to insert one, in any conversation.'
export const licences = 'Third-party licences'

// profile-card
export const profileUpdated = 'Profile updated!'
export const profileUpdatedHint = 'Your changes have been saved successfully.'
export const updateFailed = 'Update failed'
export const yourProfile = 'Your Profile'
export const nameLabel = (assistantName: string) => `What should ${assistantName} call you?`
export const namePlaceholder = 'Your display name'
export const saveChanges = 'Save Changes'
export const signInAs = (email: string) => `You sign in as ${email}.`
export const appearance = 'Appearance'
export const appearanceHint = 'System follows your device, also when it changes at night.'

// avatar-picker
export const avatarUploaded = 'Avatar uploaded!'
export const avatarUploadedHint = "Don't forget to save your changes."
export const notAnImage = 'This file is not an image that your browser can show. Please choose another one.'
export const uploadFailed = 'Upload failed'
export const changePicture = (initials: string) => `${initials}, change picture`
export const picture = 'Picture'

// privacy-card
export const privacy = 'Privacy & Your Digital Footprint'
export const privacyHint = 'What stays here after you close the page.'
export const keepConversations = 'Keep conversations'
export const keepConversationsHint =
  'Chats are saved and come back in the history. When off, new chats disappear when you leave; saved ones stay until you delete them.'
export const deleteSaved = 'Delete saved conversations'
export const storeUploads = 'Store uploads'
export const storeUploadsHint =
  'Images and files you share are stored with their chat and deleted with it. When off, each is read once and removed when the reply is done.'
export const stillSaved = (count: number) =>
  plural(count, {
    one: '1 conversation from before is still saved.',
    other: `${count.toLocaleString()} conversations from before are still saved.`,
  })

// your-data
export const exportReady = 'Export ready'
export const exportReadyHint = 'Look for the zip file among your downloads.'
export const exportFailed = 'Export failed'
export const yourFiles = 'Your files'
export const yourFilesHint = 'The files you attached and the images generated for you.'
export const showFiles = 'Show files'
export const storedData = 'Your stored data'
export const notCounted = 'It could not be counted. Please try again later.'
export const exporting = 'Exporting…'
export const exportAll = 'Export everything'
export const deleteAccount = 'Delete account'
export const deleteAccountHint = 'Permanently deletes your account and all your data.'

// delete-conversations-dialog
export const conversationsDeleted = 'Conversations deleted'
export const notAllDeleted = 'Not everything was deleted'
export const deleteConversationsTitle = (count: number) =>
  plural(count, { one: 'Delete 1 saved conversation?', other: `Delete ${count} saved conversations?` })
export const confirmDelete = 'Delete'
export const deleteConversationsHint =
  'This deletes all of them, with their messages and files. This cannot be undone.'
export const deletingLeft = (count: number) => `Deleting: ${count.toLocaleString()} left.`

// delete-account-dialog
export const tryAgainToDelete = (problem: string) => `${problem} Try again to delete the rest.`
export const accountDeleted = 'Your account is deleted'
export const accountDeletedReceipt = (email: string, itemsSuffix: string) =>
  `${email} has been deleted, with its profile and settings${itemsSuffix}.`
export const backupsEnd = (day: string) =>
  `The database's own backups end on ${day}. Until then an operator could restore what was in it. Files and credentials have no backup.`
export const deleteAccountTitle = 'Delete your account?'
export const deleting = 'Deleting…'
export const deleteForGood = 'Delete for good'
export const everythingStored = ' and everything stored with it'
export const onlyAdministratorWarning =
  'You are an administrator. If you are the only one, make somebody else an administrator first. Otherwise nobody can manage users on this site until its operator makes a new administrator.'
export const deleteAccountWarning = (itemsSuffix: string) =>
  `This deletes your account, your profile and your settings${itemsSuffix}. This cannot be undone. To keep a copy, export everything first.`
export const signInAgain = 'Sign in again'
export const typeToConfirm = (word: string) => `Type ${word} to confirm`
export const confirmWithCode =
  'You signed in a while ago. Please confirm with a two-factor code that it is you.'

// security-card
export const security = 'Security Settings'
export const noEmail = 'No email found'
export const resetEmailSent = 'Password reset email sent'
export const resetEmailHint = 'Check your email for password reset instructions.'
export const password = 'Password'
export const providerPasswordHint = (label: string) =>
  `You sign in with ${label}. Change your password there.`
export const providerFactorHint = (label: string) =>
  `You sign in with ${label}. Set up two-factor authentication in your ${label} account.`
export const passwordsOff = 'Sign-in with a password is switched off here.'
export const passwordHint = 'We send you an e-mail with a link to set a new one.'
export const changePassword = 'Change Password'
export const notConfigured = 'The service is not fully configured.'
export const tooManyEmails = 'Too many e-mails were requested. Please try again later.'
export const signedOut = 'Signed out'
export const signedOutHint = 'You have been signed out on all devices.'
export const sessions = 'Sessions'
export const sessionsHint = 'Signs you out in every browser and on every device, this one included.'
export const signOutEverywhere = 'Sign out everywhere'

// activity-card
export const activity = 'What the assistant did'
export const activityHint = (assistantName: string) =>
  `Every call of your tools that ${assistantName} made, and those you denied. Stored for a year, or until you delete the list.`
export const loadingActivity = 'Loading what the assistant did'
export const activityNotLoaded = 'The list could not be loaded.'
export const noActivity = 'Nothing yet. Calls of your tools are listed here.'
export const showMore = 'Show more'
export const deleteList = 'Delete the list'
export const listDeleted = 'List deleted'
export const listNotDeleted = 'The list was not deleted'
export const deleteListTitle = 'Delete the whole list?'
export const deleteListHint =
  'This clears the list only. It does not undo any action, and your conversations stay. This cannot be undone.'
export const alwaysAllowed = 'Always allowed'
export const alwaysAllowedHint =
  'These tools run without your approval. If the description of a tool changes, it asks again.'
export const loadingAllowed = 'Loading what is always allowed'
export const allowedNotLoaded = 'The allowed tools could not be loaded.'
export const noneAllowed = 'None: every call that writes, sends or deletes asks first.'
export const allowedSince = (day: string) => `Since ${day}`
export const askAgainFor = (tool: string) => `Ask again for ${tool}`
export const askAgain = 'Ask again'

// activity-row
export const onlyReads = 'Only reads'
export const approvedByYou = 'You approved it'
export const deniedByYou = 'Denied by you'
export const succeeded = 'Succeeded'
export const failed = 'Failed'
export const callArguments = 'Arguments'
export const notStored = 'Not stored: this was a temporary chat'
export const result = 'Result'
export const characterCount = (count: number) =>
  plural(count, { one: '1 character', other: `${count.toLocaleString()} characters` })

// shared-links-card
export const sharedLinks = 'Shared links'
export const sharedLinksHint =
  'Copies of conversations. Anybody with the link can read the copy until the link expires or you revoke it.'
export const sharingOff = 'Sharing is turned off: these links do not work.'
export const loadingLinks = 'Loading your links'
export const linksNotLoaded = 'Your links could not be loaded.'
export const noLinks = 'No links yet. To create one, choose “Share” in the menu of a conversation.'
export const linkCopied = 'Link copied'
export const linkRevoked = 'Link revoked'
export const linkNotRevoked = 'The link was not revoked'
export const linkDetails = (messages: number, sharedOn: string, endsOn: string) =>
  plural(messages, {
    one: `1 message · shared ${sharedOn} · works until ${endsOn}`,
    other: `${messages} messages · shared ${sharedOn} · works until ${endsOn}`,
  })
export const copyLinkTo = (title: string) => `Copy link to ${title}`
export const copyLink = 'Copy link'
export const revokeLinkTo = (title: string) => `Revoke link to ${title}`
export const revoke = 'Revoke'
export const revokeTitle = 'Revoke this link?'
export const revokeLink = 'Revoke link'
export const revokeHint = (title: string) =>
  `It will no longer open the copy of “${title}”. People who have read the copy may have saved it. This cannot be undone.`

// notifications-card
export const notificationsBlocked =
  'This browser blocks notifications of this site. Allow them in its settings for the site, then switch this on.'
export const notificationsUnsupported =
  'This browser has no notifications for this site. On an iPhone or iPad, add the site to the Home Screen first.'
export const notifications = 'Notifications'
export const notificationsHint = 'For this browser only.'
export const notifyReply = 'Tell me when a reply is ready'
export const notifyReplyHint =
  'When a long reply ends while you look at something else. The notification does not quote the conversation.'

// two-factor-row
export const codesLeft = (count: number) => `${count} backup codes left`
export const noCodesLeft = 'No backup codes left: make new ones.'
export const fewCodesLeft = (count: number) =>
  plural(count, {
    one: 'Only 1 backup code left: make new ones.',
    other: `Only ${count} backup codes left: make new ones.`,
  })
