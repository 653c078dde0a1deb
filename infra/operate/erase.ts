import {
  AdminGetUserCommand,
  AdminSetUserMFAPreferenceCommand,
  AdminSetUserPasswordCommand,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider'
import { OperatorError } from '../aws/operator-error.ts'
import { openAdministration, operator } from './admin/open-administration.ts'
import { printLine, runCommand, targetOptions } from './command.ts'
import { eraseAccount, newPassword, signInBySrp } from './sign-in.ts'
import { type Deployment, fetchPageConfig, findDeployment, findTable, type PageConfig } from './stage.ts'

/**
 * `npm run erase -- --email ann@example.org --yes -c stage=live`: erases the account of a user who asked for it and can no longer sign
 * in. It sets a random password, signs in and calls the product's own erasure, so that nothing is left behind.
 */
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
  const { sub, hasFactor, createdAt } = await fetchAccount(deployment, email)
  if (!values.yes)
    throw new OperatorError(
      `The account of ${email} at ${deployment.origin}, made on ${createdAt}, would be permanently erased. To do it, run the command again with --yes.`,
    )
  const config = await fetchPageConfig(deployment)
  if (config.passwordSignIn === false) throw new OperatorError(withoutPasswords)
  const { log } = openAdministration(deployment, await findTable(values))
  const event = { actor: operator, target: email, details: { user: sub } }
  const receipt = await log.record({ ...event, action: 'user.deletion_started' }, () =>
    eraseAsUser(deployment, email, { hasFactor, config }),
  )
  const { held, backups_end_at } = receipt
  await log.append(
    { ...event, action: 'user.deleted', details: { ...event.details, backups_end_at, ...held } },
    Date.now(),
  )
  printLine(`The account of ${email} is erased. The receipt:\n${JSON.stringify(receipt, null, 2)}`)
})

async function fetchAccount({ pools, userPoolId }: Deployment, Username: string) {
  try {
    const {
      UserAttributes = [],
      UserMFASettingList = [],
      UserCreateDate,
    } = await pools.send(new AdminGetUserCommand({ UserPoolId: userPoolId, Username }))
    return {
      sub: UserAttributes.find(({ Name }) => Name === 'sub')?.Value ?? '',
      hasFactor: UserMFASettingList.length > 0,
      createdAt: UserCreateDate?.toISOString().slice(0, 10),
    }
  } catch (error) {
    if (!(error instanceof UserNotFoundException)) throw error
    throw new OperatorError(
      `Nobody signs in with ${Username} and a password. Users of an identity provider erase their account in the settings; an administrator deletes it on the page.`,
      { cause: error },
    )
  }
}

async function eraseAsUser(
  { origin, pools, userPoolId }: Deployment,
  email: string,
  { hasFactor, config }: { hasFactor: boolean; config: PageConfig },
) {
  const user = { UserPoolId: userPoolId, Username: email }
  // the password first: if interrupted, the account is locked rather than weaker
  const password = newPassword()
  await pools.send(new AdminSetUserPasswordCommand({ ...user, Password: password, Permanent: true }))
  if (hasFactor)
    await pools.send(
      new AdminSetUserMFAPreferenceCommand({
        ...user,
        SoftwareTokenMfaSettings: { Enabled: false, PreferredMfa: false },
      }),
    )
  return eraseAccount(origin, await signInBySrp(config, { email, password }))
}
