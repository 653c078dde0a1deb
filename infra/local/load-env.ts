import { parseEnv } from 'node:util'
import { envFile, readOptionalFile } from '../operate/env-file.ts'

// before any module that reads the environment; what the shell sets, also to nothing, stays
for (const [name, value] of Object.entries(parseEnv(readOptionalFile(envFile)))) process.env[name] ??= value
