import type { GroupLimits } from '#shared/contracts/admin.ts'
import { grantAdmin } from './grant-admin.ts'
import type { LocalStack } from './local-stack.ts'
import { signInUser, type StackUser } from './stack-user.ts'

/** An administrator of a stack, and what only they can do: groups with members. */
export async function openTeam(stack: Pick<LocalStack, 'origin' | 'endpoints' | 'newUser'>) {
  const signIn = async (user: StackUser): Promise<StackUser> => ({
    ...user,
    ...(await signInUser({ origin: stack.origin, cognito: (await stack.endpoints()).cognito }, user)),
  })
  const founder = await stack.newUser()
  await grantAdmin(stack, founder.email)
  const admin = await signIn(founder)
  return {
    admin,
    signIn,

    /** @returns the name of a new group */
    async newGroup(limits: GroupLimits = {}): Promise<string> {
      const name = `group-${crypto.randomUUID().slice(0, 8)}`
      await admin.call('admin.createGroup', { body: { name, description: '', limits } })
      return name
    },

    setGroups: ({ sub }: StackUser, change: { add?: string[]; remove?: string[] }) =>
      admin.call('admin.setGroups', { params: { userId: sub }, body: { add: [], remove: [], ...change } }),

    /** What administrators see of a user's schedules; the list has pages, and others use the stack as well. */
    async readSchedules({ sub }: StackUser) {
      for (let cursor: string | undefined; ;) {
        const query = cursor === undefined ? {} : { cursor }
        const { people, next_cursor } = await admin.call('admin.schedules', { query })
        const person = people.find(({ id }) => id === sub)
        if (person || next_cursor === null) return person
        cursor = next_cursor
      }
    },

    /** A new user whose token names the groups. */
    async newMember(...groups: string[]): Promise<StackUser> {
      const user = await stack.newUser()
      if (groups.length === 0) return user
      await admin.call('admin.setGroups', { params: { userId: user.sub }, body: { add: groups, remove: [] } })
      return signIn(user)
    },
  }
}
