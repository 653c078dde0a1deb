import { expect, it } from 'vitest'
import { arbitraryText, fc, wellFormedText } from '../support/fuzz.ts'
import { sealer } from '../../functions/platform/secrets/seal.ts'

const newest = sealer({ read: async () => 'newest\nolder' }, 'key')
const older = sealer({ read: async () => 'older' }, 'key')

it('a sealed value opens unchanged, also with a replaced key', async () => {
  await fc.assert(
    fc.asyncProperty(wellFormedText(), wellFormedText(), async (plain, context) => {
      expect(await newest.open(await newest.seal(plain, context), context)).toBe(plain)
      expect(await newest.open(await older.seal(plain, context), context)).toBe(plain)
    }),
  )
})

it('opens in no other context, and sealing a value again gives another text', async () => {
  await fc.assert(
    fc.asyncProperty(wellFormedText(), wellFormedText(), wellFormedText(), async (plain, context, other) => {
      fc.pre(context !== other)
      const sealed = await newest.seal(plain, context)
      await expect(newest.open(sealed, other)).rejects.toThrow()
      expect(await newest.seal(plain, context)).not.toBe(sealed)
    }),
  )
})

it('refuses a value with a changed bit or a missing part, and any other text', async () => {
  await fc.assert(
    fc.asyncProperty(wellFormedText(), fc.nat(), fc.nat(7), async (plain, offset, bit) => {
      const [version = '', id = '', body = ''] = (await newest.seal(plain, 'mine')).split('.')
      const bytes = Buffer.from(body, 'base64url')
      const at = offset % bytes.length
      const cut = bytes.subarray(0, at)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
      for (const changed of [bytes, cut])
        await expect(
          newest.open(`${version}.${id}.${changed.toString('base64url')}`, 'mine'),
        ).rejects.toThrow()
    }),
  )
  await fc.assert(
    fc.asyncProperty(arbitraryText(), async (text) => {
      await expect(newest.open(text, 'mine')).rejects.toThrow()
      await expect(newest.open(`v1.${text}`, 'mine')).rejects.toThrow()
    }),
  )
})

it('hashes a value the same each time, and different values differently', async () => {
  await fc.assert(
    fc.asyncProperty(wellFormedText(), wellFormedText(), async (one, other) => {
      fc.pre(one !== other)
      expect(await newest.fingerprints('use', one)).toEqual(await newest.fingerprints('use', one))
      expect(await newest.fingerprints('use', one)).not.toEqual(await newest.fingerprints('use', other))
      expect(await newest.fingerprints('other use', one)).not.toEqual(await newest.fingerprints('use', one))
    }),
  )
})
