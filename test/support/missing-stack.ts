import { CloudFormationServiceException } from '@aws-sdk/client-cloudformation'

/** CloudFormation's error for a stack that does not exist. */
export const missingStack = (name: string) =>
  new CloudFormationServiceException({
    name: 'ValidationError',
    message: `Stack with id ${name} does not exist`,
    $fault: 'client',
    $metadata: {},
  })
