import { SendEmailCommand, SESv2Client } from '@aws-sdk/client-sesv2'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startSesEmulator } from '../../infra/local/emulators/ses.ts'
import { createMailbox } from '../../infra/local/mailbox.ts'
import { testCredentials } from '../support/credentials.ts'

it('SES delivers mails from its own address, and refuses other senders, recipients and signatures', async () => {
  const sender = 'no-reply@juno.example'
  const region = 'eu-central-1'
  const dataDir = await mkdtemp(join(tmpdir(), 'juno-ses-'))
  const mailbox = createMailbox({ dataDir })
  const ses = await startSesEmulator({ region, credentials: testCredentials, sender, mailbox })
  const send = (from: string, to: string, credentials = testCredentials) =>
    new SESv2Client({ endpoint: ses.url, region, credentials, maxAttempts: 1 }).send(
      new SendEmailCommand({
        FromEmailAddress: from,
        Destination: { ToAddresses: [to] },
        Content: {
          Simple: {
            Subject: { Data: 'Hello', Charset: 'UTF-8' },
            Body: {
              Html: { Data: '<p>Hi</p>', Charset: 'UTF-8' },
              Text: { Data: 'Hi', Charset: 'UTF-8' },
            },
          },
        },
      }),
    )
  try {
    expect((await send(`=?UTF-8?B?SsO8bm8=?= <${sender}>`, 'bob@example.com')).MessageId).toBeDefined()
    expect(mailbox.list()).toMatchObject([
      { to: 'bob@example.com', subject: 'Hello', text: 'Hi', html: '<p>Hi</p>' },
    ])
    await expect(send('else@juno.example', 'bob@example.com')).rejects.toMatchObject({
      name: 'MessageRejected',
      message: expect.stringContaining('Email address is not verified.'),
    })
    for (const to of ['jürgen@example.com', 'bob'])
      await expect(send(sender, to)).rejects.toMatchObject({ name: 'BadRequestException' })
    await expect(
      send(sender, 'bob@example.com', { ...testCredentials, secretAccessKey: 'x' }),
    ).rejects.toMatchObject({ name: 'InvalidSignatureException' })
  } finally {
    await ses.close()
    mailbox.close()
    await rm(dataDir, { recursive: true })
  }
})
