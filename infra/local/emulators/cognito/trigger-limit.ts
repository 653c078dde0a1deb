/**
 * The service's time limit for a trigger.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-working-with-lambda-triggers.html
 */
export const triggerLimit = { ms: 5_000 }
