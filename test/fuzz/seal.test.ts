import { expect, it } from 'vitest'
import { anyText, fc, wholeText } from '../support/fuzz.ts'
import { sealer } from '../../functions/platform/seal.ts'

const { seal, open, fingerprints } = sealer({ read: async () => 'newest\nolder' }, 'key')
const older = sealer({ read: async () => 'older' }, 'key')

it('what is sealed opens as it was, with a replaced key too', async () => {
  await fc.assert(
    fc.asyncProperty(wholeText(), wholeText(), async (plain, context) => {
      expect(await open(await seal(plain, context), context)).toBe(plain)
      expect(await open(await older.seal(plain, context), context)).toBe(plain)
    }),
  )
})

it('opens in no other context, and tells nothing of what is in it', async () => {
  await fc.assert(
    fc.asyncProperty(wholeText(), wholeText(), wholeText(), async (plain, context, other) => {
      fc.pre(context !== other)
      const sealed = await seal(plain, context)
      await expect(open(sealed, other)).rejects.toThrow()
      expect(await seal(plain, context)).not.toBe(sealed)
    }),
  )
})

it('refuses a value with any bit changed, any part cut off, and any text that is none', async () => {
  await fc.assert(
    fc.asyncProperty(wholeText(), fc.nat(), fc.nat(7), async (plain, place, bit) => {
      const [version = '', id = '', body = ''] = (await seal(plain, 'mine')).split('.')
      const bytes = Buffer.from(body, 'base64url')
      const at = place % bytes.length
      const cut = bytes.subarray(0, at)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
      for (const changed of [bytes, cut])
        await expect(open(`${version}.${id}.${changed.toString('base64url')}`, 'mine')).rejects.toThrow()
    }),
  )
  await fc.assert(
    fc.asyncProperty(anyText(), async (text) => {
      await expect(open(text, 'mine')).rejects.toThrow()
      await expect(open(`v1.${text}`, 'mine')).rejects.toThrow()
    }),
  )
})

it('names a value the same each time, and never two alike', async () => {
  await fc.assert(
    fc.asyncProperty(wholeText(), wholeText(), async (one, other) => {
      fc.pre(one !== other)
      expect(await fingerprints('use', one)).toEqual(await fingerprints('use', one))
      expect(await fingerprints('use', one)).not.toEqual(await fingerprints('use', other))
      expect(await fingerprints('other use', one)).not.toEqual(await fingerprints('use', one))
    }),
  )
})
