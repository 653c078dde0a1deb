import { afterAll } from 'vitest'
import { removeFolders } from './synthesised.ts'

afterAll(removeFolders)
