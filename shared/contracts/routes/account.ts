import {
  accountRead,
  avatarRead,
  avatarUpload,
  avatarUploaded,
  conversationsForgotten,
  eraseRequest,
  eraseResponse,
  exportedAccount,
  heldCounts,
  profileChange,
  settingsChange,
} from '#shared/contracts/account.ts'
import { success } from '#shared/contracts/success.ts'

/** What the routes of the function 'account' take and answer. */
export const accountContracts = {
  'account.read': { response: accountRead },
  'account.save': { request: profileChange, response: accountRead },
  'account.settings': { request: settingsChange, response: accountRead },
  'account.avatar': { response: avatarRead },
  'account.uploadAvatar': { request: avatarUpload, response: avatarUploaded },
  'account.held': { response: heldCounts },
  'account.export': { response: exportedAccount },
  'account.forgetConversations': { response: conversationsForgotten },
  'account.signOutEverywhere': { response: success },
  'account.erase': { request: eraseRequest, response: eraseResponse },
} as const
