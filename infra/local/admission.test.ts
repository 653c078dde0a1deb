import { expect, it } from 'vitest'
import { createAdmission } from './admission.ts'
import { ServerBusy } from './gateway-errors.ts'

it('refuses what can neither work nor wait, and hands a place over once', async () => {
  const admission = createAdmission(1, 1)
  const leave = await admission.enter()
  const second = admission.enter()
  await expect(admission.enter()).rejects.toBeInstanceOf(ServerBusy)
  leave()
  leave()
  const leaveSecond = await second
  const third = admission.enter()
  leaveSecond()
  await expect(third).resolves.toBeTypeOf('function')
})
