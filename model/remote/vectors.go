package remote

import (
	"context"
	"math"

	"dormouse/model"
)

type vectorsRequest struct {
	Model  string   `json:"model"`
	Input  []string `json:"input"`
	Format string   `json:"encoding_format"`
}

type vectorsAnswer struct {
	Data []struct {
		Index  int       `json:"index"`
		Vector []float32 `json:"embedding"`
	} `json:"data"`
}

// Embed asks a server that speaks OpenAI's /v1/embeddings (OpenAI, vLLM, llama.cpp,
// Ollama, text-embeddings-inference) once for a vector of each text. It tells its
// errors as a *model.Failure.
func Embed(ctx context.Context, e model.Endpoint, texts []string) ([][]float32, error) {
	res, err := post(ctx, newClient(), e.Base+"/embeddings", e.Key, vectorsRequest{e.Model, texts, "float"})
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	var answer vectorsAnswer
	if err := decode(res.Body, &answer); err != nil {
		return nil, err
	}
	out := make([][]float32, len(texts))
	for _, d := range answer.Data {
		if d.Index < 0 || d.Index >= len(out) || out[d.Index] != nil || len(d.Vector) == 0 {
			return nil, noVectors()
		}
		for _, x := range d.Vector {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return nil, noVectors()
			}
		}
		out[d.Index] = d.Vector
	}
	for _, v := range out {
		if len(v) == 0 || len(v) != len(out[0]) {
			return nil, noVectors()
		}
	}
	return out, nil
}

func noVectors() error {
	return &model.Failure{Err: model.ErrAnswer, Text: "it holds no vector for each text"}
}
