import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider'
import type { Context, SQSEvent } from 'aws-lambda'
import * as z from 'zod'
import { parseJson } from '#shared/parse-json.ts'
import { deps, loadSiteSettings, openReplyDeps, readKey, stores, table } from '../../chat/reply-services.ts'
import { endPendingCalls } from '../../chat/waiting-tasks.ts'
import { poolAccounts } from '../../platform/auth/pool-accounts.ts'
import { poolGroups } from '../../platform/auth/pool-groups.ts'
import { loadMark } from '../../platform/auth/token-revocation.ts'
import { clientTimeouts } from '../../platform/client-timeouts.ts'
import { parseEnv } from '../../platform/env.ts'
import { groupLimitsReader } from '../../platform/group-limits.ts'
import { logger } from '../../platform/telemetry/logger.ts'
import { providerAccounts } from '../../sign-in/provider-accounts.ts'
import { passwordSignIn, providerVariables, requireTwoFactor } from '../../sign-in/provider-variables.ts'
import { loadPrincipal } from './principal.ts'
import { runSchedule, type RunScheduleDeps } from './run-schedule.ts'
import { scheduleRepository } from '../schedule-repository.ts'
import { runMessage } from '../schedule-row.ts'

const { NOTIFIER_FUNCTION, USER_POOL_ID, REQUIRE_TWO_FACTOR, PASSWORD_SIGN_IN, IDENTITY_PROVIDERS } =
  parseEnv({
    /** undefined in a deployment without notifications */
    NOTIFIER_FUNCTION: z.string().optional(),
    USER_POOL_ID: z.string(),
    REQUIRE_TWO_FACTOR: requireTwoFactor,
    PASSWORD_SIGN_IN: passwordSignIn,
    ...providerVariables,
  })
const cognito = new CognitoIdentityProviderClient(clientTimeouts(5_000))
const principalDeps = {
  accounts: { ...poolAccounts(USER_POOL_ID, cognito), ...poolGroups(USER_POOL_ID, cognito) },
  providers: providerAccounts(IDENTITY_PROVIDERS),
  hasPasswords: PASSWORD_SIGN_IN,
  groupLimits: groupLimitsReader(table, { require_two_factor: REQUIRE_TWO_FACTOR }),
  loadMark: (sub: string) => loadMark(table, sub),
  now: () => Date.now(),
}
const runDeps: RunScheduleDeps = {
  schedules: scheduleRepository(table),
  stores,
  loadPrincipal: (sub, row) => loadPrincipal(principalDeps, sub, row),
  openReplyDeps: (caller) => openReplyDeps(caller, { messageTokens: 0, continues: false, isScheduled: true }),
  readKey,
  endPendingCalls: (run) => endPendingCalls(deps, run),
  // its code is loaded with the first refusal
  async announce(sub, scheduleId) {
    const { announceRefusal } = await import('../announce-refusal.ts')
    return announceRefusal(table, NOTIFIER_FUNCTION, { sub, scheduleId }, logger)
  },
  isStopped: async () => (await loadSiteSettings()).schedules === 'off',
  now: () => Date.now(),
}

/**
 * Runs the schedules that the dispatcher hands over, one for each message of the queue. A run that cannot begin now ends without an error: the
 * dispatcher sends it again.
 * @throws errors of the table and the user pool, so that the queue delivers the message again
 */
export async function handler(
  { Records }: Pick<SQSEvent, 'Records'>,
  {
    getRemainingTimeInMillis,
    awsRequestId: requestId,
  }: Pick<Context, 'getRemainingTimeInMillis' | 'awsRequestId'>,
): Promise<void> {
  for (const { body } of Records) {
    const message = runMessage.safeParse(parseJson(body))
    const log = logger.with({ requestId })
    if (!message.success) {
      log.error('a message of the queue is no run of a schedule')
      continue
    }
    const result = await runSchedule(
      message.data,
      { requestId, remainingMs: getRemainingTimeInMillis, log },
      runDeps,
    )
    log.info('a schedule was run', { code: result })
  }
}
