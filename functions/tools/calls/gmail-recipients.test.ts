import { expect, it } from 'vitest'
import { zodParameters } from './tool.ts'
import { tools as gmail } from '../../providers/gmail/tools.ts'

const sendEmail = gmail.find(({ id }) => id === 'send_email')
const check = (to: string) =>
  sendEmail && zodParameters(sendEmail.parameters).check({ to, subject: 'Lunch', body: 'At noon?' })

it('stores recipients as they are sent, before the user is asked, so that blanks hide nobody (H3)', () => {
  const recipients = 'ann@corp.example, mallory@evil.example'
  const input = { to: recipients, subject: 'Lunch', body: 'At noon?' }
  expect(check(`ann@corp.example,${' '.repeat(300)}mallory@evil.example`)).toEqual({ input })
  // checked once more after the approval
  expect(check(recipients)).toEqual({ input })
})

it('reports invalid recipients to the model, without asking the user', () => {
  expect(check('ann')).toMatchObject({ problem: { text: 'to: "ann" is no e-mail address.' } })
  expect(
    check(`${'"a&b" <ann@corp.example>,'.repeat(48)}${' '.repeat(2_900)}ben@corp.example`),
  ).toMatchObject({
    problem: { text: 'to: Too big: expected string to have <=4000 characters' },
  })
})

it('shows the model a plain string for the recipients', () => {
  expect(sendEmail && zodParameters(sendEmail.parameters).schema).toMatchObject({
    properties: {
      to: { type: 'string', minLength: 1, description: expect.stringContaining('commas') as string },
    },
  })
})
