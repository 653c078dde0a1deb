import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'

/** Whether a write was refused because its condition does not hold. */
export const isRefused = (error: unknown): error is ConditionalCheckFailedException =>
  error instanceof ConditionalCheckFailedException
