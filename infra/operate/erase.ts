import { AdminSetUserPasswordCommand } from '@aws-sdk/client-cognito-identity-provider'
import { resetFactor } from '../../functions/mfa/change-factor.ts'
import { userHash } from '../../functions/platform/telemetry/logger.ts'
import { OperatorError } from '../aws/operator-error.ts'
import { hideAddress } from './admin/hide-address.ts'
import { openAdministration, operator } from './admin/open-administration.ts'
import { printLine, runCommand, targetOptions } from './command.ts'
import { eraseAccount, newPassword, signInBySrp } from './sign-in.ts'
import { fetchPageConfig, findDeployment, findTable } from './stage.ts'

/** `npm run erase`: sets a random password, signs in and calls the product's own erasure, so that nothing is left behind. */
const options = {
  email: { type: 'string' },
  yes: { type: 'boolean' },
  ...targetOptions,
} as const

const withoutPasswords =
  'Without passwords (passwordSignIn is off), this command cannot sign in for the user. An administrator deletes the account on the page, under Administration.'

await runCommand('erase', { options }, async ({ values }) => {
  const { email } = values
  if (!email) throw new OperatorError('Say whose account: --email ann@example.org')
  const deployment = await findDeployment(values)
  const table = await findTable(values)
  const { origin, pools, userPoolId } = deployment
  const { users, log, cognito, factors } = openAdministration(deployment, table)
  const account = (await users.findByEmail(email)).find(({ sign_in }) => sign_in === 'password')
  if (!account)
    throw new OperatorError(
      `Nobody signs in with ${email} and a password. Users of an identity provider erase their account in the settings; an administrator deletes it on the page.`,
    )
  if (!values.yes)
    throw new OperatorError(
      `The account of ${email} at ${origin}, made on ${account.created_at.slice(0, 10)}, would be permanently erased. To do it, run the command again with --yes.`,
    )
  const config = await fetchPageConfig(deployment)
  if (config.passwordSignIn === false) throw new OperatorError(withoutPasswords)
  const { id: sub, username } = account
  const event = { actor: operator, target: email, details: { user: sub } }
  const receipt = await log.record({ ...event, action: 'user.deletion_started' }, async () => {
    // the password first: if interrupted, the account is locked rather than weaker
    const password = newPassword()
    await pools.send(
      new AdminSetUserPasswordCommand({
        UserPoolId: userPoolId,
        Username: username,
        Password: password,
        Permanent: true,
      }),
    )
    await resetFactor({ cognito, factors }, { sub, username })
    return eraseAccount(origin, await signInBySrp(config, { email, password }))
  })
  const { held, backups_end_at } = receipt
  await log.append(
    {
      ...event,
      action: 'user.deleted',
      target: userHash(sub),
      details: { ...event.details, ...(backups_end_at && { backups_end_at }), ...held },
    },
    Date.now(),
  )
  await hideAddress(table, { email, sub }, Date.now())
  printLine(`The account of ${email} is erased. The receipt:\n${JSON.stringify(receipt, null, 2)}`)
})
