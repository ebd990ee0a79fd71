// The built program on a folder of its own, with its sample hotel, for one run.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const program = new URL('../bin/ostler', import.meta.url).pathname

/** Starts it; stop() ends it and removes its folder. Simulated guests stand still. */
export async function startDemo () {
  const dir = mkdtempSync(join(tmpdir(), 'ostler-interop-'))
  const child = spawn(program, ['demo', '--data', dir, '--listen', '127.0.0.1:0', '--speed', '0'], { stdio: 'ignore' })
  const ended = new Promise(resolve => child.once('exit', resolve))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(dir, { recursive: true, force: true })
  }
  const file = join(dir, 'demo.json')
  for (let tries = 0; !existsSync(file); tries++) {
    if (tries > 1200 || child.exitCode !== null) {
      await stop()
      throw new Error('the demo did not start')
    }
    await wait(100)
  }
  const demo = JSON.parse(readFileSync(file, 'utf8'))
  return { ...demo, file, stop }
}
