import type {
  CustomMessageTriggerEvent,
  PostConfirmationTriggerEvent,
  PreAuthenticationTriggerEvent,
  PreSignUpTriggerEvent,
  PreTokenGenerationV2TriggerEvent,
} from 'aws-lambda'
import { withTimeout } from '../../../../functions/platform/with-timeout.ts'
import { CognitoError } from './errors.ts'
import type { PoolUser } from './pool-store.ts'
import { triggerLimit } from './trigger-limit.ts'

/** A trigger's Lambda handler: it gets the event and returns it with its response. */
type Trigger<Event> = (event: Event) => Promise<Event>

/** The Lambda functions attached to the pool; each is called in this process. */
export interface Triggers {
  customMessage?: Trigger<CustomMessageTriggerEvent>
  preAuthentication?: Trigger<PreAuthenticationTriggerEvent>
  postConfirmation?: Trigger<PostConfirmationTriggerEvent>
  preSignUp?: Trigger<PreSignUpTriggerEvent>
  /** as `PreTokenGenerationConfig` with `V2_0` */
  preTokenGeneration?: Trigger<PreTokenGenerationV2TriggerEvent>
}

/** A user's attributes in a trigger's event. */
export const triggerAttributes = (user: PoolUser): Record<string, string> => ({
  sub: user.sub,
  'cognito:user_status': user.status,
  ...user.attributes,
})

/** The fields that the events of all triggers have. */
export const eventFields = (
  { region, id, clientId }: { region: string; id: string; clientId: string },
  user: PoolUser,
) => ({
  version: '1',
  region,
  userPoolId: id,
  userName: user.username,
  callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId },
})

/**
 * Asks the pre-authentication trigger, if there is one, before each sign-in of an account that exists.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-pre-authentication.html
 * @throws as `callTrigger`
 */
export async function beforeAuthentication(
  pool: { region: string; id: string; clientId: string; triggers: Triggers },
  user: PoolUser,
): Promise<void> {
  if (!pool.triggers.preAuthentication) return
  await callTrigger('PreAuthentication', pool.triggers.preAuthentication, {
    ...eventFields(pool, user),
    triggerSource: 'PreAuthentication_Authentication',
    request: { userAttributes: triggerAttributes(user), validationData: null },
    response: {},
  } as unknown as PreAuthenticationTriggerEvent)
}

/**
 * Calls a trigger with a copy of the event, as over the wire.
 * @param label how the service names the trigger in its messages
 * @throws UserLambdaValidationException with the function's own words, UnexpectedLambdaException after 5 s
 */
export async function callTrigger<Event>(
  label: string,
  trigger: Trigger<Event>,
  event: Event,
): Promise<Event> {
  const answered = await withTimeout(trigger(asOnTheWire(event)), triggerLimit.ms).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CognitoError('UserLambdaValidationException', `${label} failed with error ${reason}.`, {
      cause: error,
    })
  })
  if (answered) return asOnTheWire(answered.result)
  throw new CognitoError('UnexpectedLambdaException', `${label} invocation failed: no answer in 5 s`)
}

const asOnTheWire = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
