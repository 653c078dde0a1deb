import type { SESv2Client } from '@aws-sdk/client-sesv2'
import { mailSender } from '../platform/send-mail.ts'
import { buildInvitationMail } from '../sign-in/mail-templates.ts'

/** Sends invitations with the operator's SES identity. @throws errors of SES */
export const invitationMailer = (
  client: Pick<SESv2Client, 'send'>,
  { sender, brandName }: { sender: string; brandName: string },
) => {
  const sendMail = mailSender(client, { sender, brandName })
  return ({
    email,
    link,
    endsAt,
    inviter,
  }: {
    email: string
    link: string
    endsAt: Date
    /** the address of the administrator */
    inviter?: string | undefined
  }): Promise<void> => {
    const mail = buildInvitationMail({
      brandName,
      link,
      inviter,
      endsAt: endsAt.toLocaleDateString('en-GB', {
        day: 'numeric',
        month: 'long',
        year: 'numeric',
        timeZone: 'UTC',
      }),
    })
    return sendMail({ to: email, ...mail })
  }
}

export type InvitationMailer = ReturnType<typeof invitationMailer>
