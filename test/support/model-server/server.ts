import { modelApis } from '../../../infra/local/doubles/model/server.ts'
import { parseResponsesRequest } from '../../../infra/local/doubles/model/responses-request.ts'
import { formatResponsesReply } from '../../../infra/local/doubles/model/responses-reply.ts'
import { formatChatReply } from './chat-reply.ts'
import { parseChatRequest } from './chat-request.ts'
import { formatMessagesReply, messagesError } from './messages-reply.ts'
import { parseMessagesRequest } from './messages-request.ts'
import { checkResponsesRequest } from './responses-rules.ts'

/*
 * The demo model as strict as real servers, and with the other two wire formats. It is loaded before the product, so that each product of
 * the tests has it.
 */
modelApis.set('POST /v1/chat/completions', {
  read(value) {
    const request = parseChatRequest(value)
    return { request, format: (parts) => formatChatReply(request, parts) }
  },
})
modelApis.set('POST /v1/responses', {
  read(value) {
    checkResponsesRequest(value)
    const request = parseResponsesRequest(value)
    return { request, format: (parts) => formatResponsesReply(request, parts) }
  },
})
modelApis.set('POST /v1/messages', {
  read(value) {
    const request = parseMessagesRequest(value)
    return { request, format: (parts) => formatMessagesReply(request, parts) }
  },
  formatError: messagesError,
})

export { demoModelName, startDemoModel, type DemoModel } from '../../../infra/local/doubles/model/server.ts'
