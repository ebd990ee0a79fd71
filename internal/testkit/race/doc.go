// Package race tells tests whether the race detector runs, which takes several times
// as long: what is done over and over to see that nothing is amiss is done a few
// times then.
package race
