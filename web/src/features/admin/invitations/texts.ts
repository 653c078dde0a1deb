import { plural, t } from '@lingui/core/macro'

// invite-card
export const invite = t`Invite somebody`
export const inviteHint = t`They get a link to sign up with this address. It works until the invitation expires.`
export const email = t`E-mail`
export const emailMissing = t`Please enter an e-mail address.`
export const signsInWith = (label: string) => t`Signs in with ${label}`
export const days = t`Valid for`
export const dayCount = (count: number) => plural(count, { one: '# day', other: `# days` })
export const sendInvitation = t`Invite`
export const invitationSent = t`Invitation sent`
export const sentTo = (email: string) => t`${email} gets an e-mail with the link.`
export const invitationCreated = (email: string) =>
  t`${email} is invited. This installation sent no e-mail: copy the link and pass it on.`

// invitation-list
export const open = t`Open invitations`
export const openHint = t`Not used yet. An invitation disappears once the person has signed up.`
export const loading = t`Loading the invitations`
export const noInvitations = t`No open invitations.`
export const expires = (day: string) => t`Expires ${day}`
export const sent = (day: string) => t`E-mail sent ${day}`
export const notSent = t`No e-mail was sent`
export const copyLink = t`Copy link`
export const copyLinkFor = (email: string) => t`Copy link for ${email}`
export const linkCopied = t`Link copied`
export const resend = t`Send again`
export const resendTo = (email: string) => t`Send again to ${email}`
export const resent = t`Sent again`
export const resentWithoutMail = t`Renewed, without an e-mail`
export const passOn = t`This installation sends no e-mail for invitations. Copy the link and pass it on.`
export const notResent = t`The invitation was not sent again`
export const revoke = t`Revoke`
export const revokeFor = (email: string) => t`Revoke invitation of ${email}`
export const revokeTitle = t`Revoke this invitation?`
export const revokeHint = (email: string) =>
  t`The link that ${email} has no longer works. You can invite this address again.`
