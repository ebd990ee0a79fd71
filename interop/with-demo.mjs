// Runs a command beside a demo, whose demo.json it finds by OSTLER_DEMO.
import { spawn } from 'node:child_process'
import { startDemo } from './demo.mjs'

const [command, ...args] = process.argv.slice(2)
const demo = await startDemo()
const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, OSTLER_DEMO: demo.file } })
child.once('exit', async code => {
  await demo.stop()
  process.exit(code ?? 1)
})
