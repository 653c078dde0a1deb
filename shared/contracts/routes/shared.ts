import { sharedConversation, sharedRequest } from '#shared/contracts/shares.ts'

/** What the routes of the function 'shared' take and answer. */
export const sharedContracts = {
  'shares.view': { request: sharedRequest, response: sharedConversation },
} as const
