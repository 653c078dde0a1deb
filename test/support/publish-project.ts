import { expect } from 'vitest'
import type { RouteRequest } from '#shared/contracts/route-contracts.ts'
import type { StackUser } from './stack-user.ts'

export type Publication = Partial<RouteRequest<'assistants.publish'>>

/** Creates a project with instructions. */
export const createProject = async (user: StackUser, body: Partial<RouteRequest<'projects.create'>> = {}) =>
  (await user.call('projects.create', { body: { name: 'Wholesale', instructions: 'Say amber.', ...body } }))
    .project

/** Sends a message. @returns its conversation, a new one unless `more` names one, and the codes of the notices */
export async function say(user: StackUser, content: string, more: Partial<RouteRequest<'chat.send'>> = {}) {
  const sessionId = more.sessionId ?? crypto.randomUUID()
  const body = { ...more, sessionId, messages: [{ role: 'user' as const, content }] }
  const { notices = [] } = await user.call('chat.send', { body })
  return { sessionId, codes: notices.map(({ code }) => code) }
}

/** Steps that publish projects for the members of a group, unless a publication names another audience. */
export function publishingFor(group: string) {
  const sendPublish = (user: StackUser, projectId: string, body: Publication = {}) =>
    user.send('assistants.publish', {
      params: { projectId },
      body: { audience: { groups: [group] }, ...body },
    })

  return {
    sendPublish,

    /** Publishes a project, or a new one. */
    publish: async (user: StackUser, body: Publication = {}, project?: { id: string }) => {
      const { id } = project ?? (await createProject(user))
      const response = await sendPublish(user, id, body)
      expect(response).toMatchObject({ status: 200 })
      const { assistant } = response.body as { assistant: { id: string; version: number } }
      return { projectId: id, ...assistant }
    },
  }
}
