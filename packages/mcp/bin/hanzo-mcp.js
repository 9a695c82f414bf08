#!/usr/bin/env node
// The committed entry: it turns the compile cache on and loads the built program, nothing more.
