/** @module-tag long */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { forEachSizeAndTheme, newPage, screenshot } from '../support/browser.ts'
import { composer } from '../support/page-steps.ts'
import { demoStack } from '../support/shared-stack.ts'

const stack = await demoStack()

interface Challenge {
  ChallengeName: string
  Session?: string
  ChallengeResponses: Record<string, string>
}

/**
 * Lets the user pool answer as for an account that somebody has created there, which the local one does not have: it asks for a new password
 * in place of a temporary one, and then gives its tokens
 * (https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_RespondToAuthChallenge.html).
 * @returns the answers to that challenge
 */
async function askForNewPassword(page: Page): Promise<Challenge[]> {
  const { cognito } = await stack.endpoints()
  const answers: Challenge[] = []
  let tokens: unknown
  await page.route(`${cognito}**`, async (route) => {
    const request = route.request()
    if (!request.headers()['x-amz-target']?.endsWith('.RespondToAuthChallenge')) return route.fallback()
    const challenge = request.postDataJSON() as Challenge
    if (challenge.ChallengeName === 'NEW_PASSWORD_REQUIRED') {
      answers.push(challenge)
      return route.fulfill({ json: tokens, headers: { 'access-control-allow-origin': '*' } })
    }
    const response = await route.fetch()
    tokens = await response.json()
    return route.fulfill({
      response,
      json: {
        ChallengeName: 'NEW_PASSWORD_REQUIRED',
        Session: 'a session of the pool',
        ChallengeParameters: {
          USER_ID_FOR_SRP: challenge.ChallengeResponses['USERNAME'],
          requiredAttributes: '[]',
          userAttributes: '{}',
        },
      },
    })
  })
  return answers
}

it('an account that was created at the user pool gets its own password at the first sign-in', async () => {
  const user = await stack.newUser()
  const page = await newPage({ baseURL: stack.origin })
  const answers = await askForNewPassword(page)
  await page.goto('/auth')
  await page.getByLabel('E-mail').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
  await forEachSizeAndTheme(page, async (look, rules) => {
    expect([look, await findViolations(page, ...rules)]).toEqual([look, []])
    await screenshot(page, `new-password-${look}`)
  })
  await page.getByLabel('New password').fill('a word of one’s own 2026')
  await page.keyboard.press('Enter')
  await composer(page).waitFor()
  expect(answers).toEqual([
    expect.objectContaining({
      Session: 'a session of the pool',
      ChallengeResponses: expect.objectContaining({ NEW_PASSWORD: 'a word of one’s own 2026' }) as object,
    }),
  ])
})
