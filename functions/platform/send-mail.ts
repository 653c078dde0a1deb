import { SendEmailCommand, type SESv2Client } from '@aws-sdk/client-sesv2'

const utf8 = { Charset: 'UTF-8' }

export interface Mail {
  /** an address */
  to: string
  subject: string
  html: string
  text: string
}

/** Sends mails with the operator's SES identity. @throws errors of SES */
export const mailSender =
  (client: Pick<SESv2Client, 'send'>, { sender, brandName }: { sender: string; brandName: string }) =>
  async ({ to, subject, html, text }: Mail): Promise<void> => {
    await client.send(
      new SendEmailCommand({
        FromEmailAddress: `${encodeDisplayName(brandName)} <${sender}>`,
        Destination: { ToAddresses: [to] },
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
