import { SendEmailCommand, type SESv2Client } from '@aws-sdk/client-sesv2'
import { buildInvitationMail } from '../sign-in/mail-templates.ts'

const utf8 = { Charset: 'UTF-8' }

/** Sends invitations with the operator's SES identity. @throws errors of SES */
export const invitationMailer =
  (client: Pick<SESv2Client, 'send'>, { sender, brandName }: { sender: string; brandName: string }) =>
  async ({
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
    const { subject, html, text } = buildInvitationMail({
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
    await client.send(
      new SendEmailCommand({
        FromEmailAddress: `${encodeDisplayName(brandName)} <${sender}>`,
        Destination: { ToAddresses: [email] },
        Content: {
          Simple: {
            Subject: { ...utf8, Data: subject },
            Body: { Html: { ...utf8, Data: html }, Text: { ...utf8, Data: text } },
          },
        },
      }),
    )
  }

/** SES wants encoded words (RFC 2047) for a name that is not plain ASCII: 75 characters each, which hold 45 bytes, so 11 characters. */
const encodeDisplayName = (name: string): string =>
  (name.match(/[^]{1,11}/gu) ?? [])
    .map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`)
    .join(' ')

export type InvitationMailer = ReturnType<typeof invitationMailer>
