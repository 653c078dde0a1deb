import { plural } from '../../../lib/plural.ts'

// invite-card
export const invite = 'Invite somebody'
export const inviteHint =
  'They get a link to sign up with this address. It works until the invitation expires.'
export const email = 'E-mail'
export const emailMissing = 'Please enter an e-mail address.'
export const signsInWith = (label: string) => `Signs in with ${label}`
export const days = 'Valid for'
export const dayCount = (count: number) => plural(count, { one: '1 day', other: `${count} days` })
export const sendInvitation = 'Invite'
export const invitationSent = 'Invitation sent'
export const sentTo = (email: string) => `${email} gets an e-mail with the link.`
export const invitationCreated = (email: string) =>
  `${email} is invited. This installation sent no e-mail: copy the link and pass it on.`

// invitation-list
export const open = 'Open invitations'
export const openHint = 'Not used yet. An invitation disappears once the person has signed up.'
export const loading = 'Loading the invitations'
export const noInvitations = 'No open invitations.'
export const expires = (day: string) => `Expires ${day}`
export const sent = (day: string) => `E-mail sent ${day}`
export const notSent = 'No e-mail was sent'
export const copyLink = 'Copy link'
export const copyLinkFor = (email: string) => `Copy link for ${email}`
export const linkCopied = 'Link copied'
export const resend = 'Send again'
export const resendTo = (email: string) => `Send again to ${email}`
export const resent = 'Sent again'
export const resentWithoutMail = 'Renewed, without an e-mail'
export const passOn = 'This installation sends no e-mail for invitations. Copy the link and pass it on.'
export const notResent = 'The invitation was not sent again'
export const revoke = 'Revoke'
export const revokeFor = (email: string) => `Revoke invitation of ${email}`
export const revokeTitle = 'Revoke this invitation?'
export const revokeHint = (email: string) =>
  `The link that ${email} has no longer works. You can invite this address again.`
